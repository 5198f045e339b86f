"""The report that can be sent on: one content, written as a page (HTML) and for Word (DOCX)."""
