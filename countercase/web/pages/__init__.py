"""The pages that a browser shows; see `countercase.web.service` for programs."""
