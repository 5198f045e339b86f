"""The words by which a narrative speaks of an item of evidence without naming it again."""

from __future__ import annotations

from typing import Final

KIN: Final = {
    "victim_testimony": r"\b(?:told|deposed|testif\w+|testimony|cross[- ]exam\w*|was asked|answered"
    r"|stated|believed|she (?:says|said|went back)|her (?:words|word|version|evidence|statement))\b",
    "eyewitness": r"\beye-?witness\w*|\bwho saw\b|\bbelieved\b|\bsaw (?:him|her|them|the)\b",
    "electronic_record": r"\b(?:messages?|whatsapp|chats?|video|clips?|recordings?|recorder|footage"
    r"|pen ?drive"
    r"|CD|CCTV|screenshots?|print-?outs?|emails?|e-mails?|voice notes?|65-?B|hash|viral|phone|call)\b",
    "recovery": r"\b(?:recover\w*|seiz\w+|seizure|notes|money|panchnama|mahazar|section 27|led them"
    r"|pointing)\b",
    "forensic": r"\b(?:forensic|FSL|laborator\w+|lab|analys\w+|chemical|serolog\w+|samples?|phenolphthalein"
    r"|hand ?wash|wash(?:es)?|viscera|DNA|purity|pure)\b",
    "medical": r"\b(?:post[- ]?mortem|autopsy|PMR?|medical|MLC|MLR|injury (?:report|certificate)"
    r"|ossification"
    r"|radiolog\w+|surgeon|X-?ray)\b",
    "electronic_certificate": r"certificat\w*|65-?B|electronic",
    "expert_opinion": r"\b(?:experts?|opinion|valuers?|valuation|pure|purity|percentage|inspector"
    r"|handwriting)\b",
    "confession": r"\b(?:confess\w*|section 164|disclosure)\b",
    "extrajudicial_confession": r"\bconfess\w*",
    "dying_declaration": r"\b(?:declarations?|DDs?|statement|section 32|fit to speak|conscious)\b",
    "motive": r"\b(?:motive|grudge|enmity|quarrel\w*|feud|dispute|old case)\b",
    "last_seen": r"\b(?:last seen|seen together|saw the two|section 106)\b",
    "test_identification": r"\b(?:parade|TIP|identif\w+)\b",
    "injury_grade": r"\b(?:grievous|simple|fracture\w*|injur\w+|wounds?|MLC)\b",
    "weapon": r"\b(?:weapon|knife|lathi|danda|rod|axe|pistol|gun|katta|revolver|stick|sword|belt|brick)\b",
    "hostile_witness": r"\bhostile\b",
    "related_witness": r"\b(?:related|interested|relations?|relatives?)\b",
    "settlement": r"\b(?:compromis\w+|settle\w*|consent (?:decree|terms|order|divorce)|mutual(?:ly)? consent"
    r"|mediat\w+|lok adalat|samjhauta|rajinama|MoU|one[- ]time|OTS|amicabl\w+|patched up)\b",
    "sudden_quarrel": r"\b(?:quarrel\w*|fight|fought|scuffle|altercation|abus(?:e[ds]?|ing|ive)|provo[kc]\w+"
    r"|exchange of|heat of|heated|sudden\w*|spur of|premeditat\w+|Exception [14]|jhagda)\b",
    "antecedents": r"\b(?:antecedents?|previously|(?:other|earlier|previous|pending) cases?|FIRs"
    r"|criminal record|history)\b",
}
"""How a narrative speaks of an item of each type without its own words."""
OWN_KIN: Final = (
    (r"post[- ]?mortem|autopsy|\bPMR?\b", r"\b(?:post[- ]?mortem|autopsy|PMR?|cause of death)\b"),
    (r"ossification", r"\b(?:ossification|radiolog\w+|bones?|X-?rays?)\b"),
    (r"injury|wound|\bML[CR]\b", r"\b(?:injur(?:y|ies)|wounds?|MLC|MLR)\b"),
    (r"e-?mail", r"\b(?:e-?mails?|certificate|65-?B)\b"),
    (
        r"\bcall (?:records?|details?)|\bCDR",
        r"\b(?:call (?:records?|details?)|calls|CDRs?|65-?B)\b",
    ),
    (r"shadow", r"\b(?:eye-?witness\w*|shadow)\b"),
)
"""Where an item is named so, how a narrative speaks of it in particular."""
