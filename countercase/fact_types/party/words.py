"""The words that say what a party is in law.

Public servants follow section 21 of the Indian Penal Code, the State Article 12 of the
Constitution (a State's departments and local authorities are `State` here, as in the vocabulary).
"""

from __future__ import annotations

from typing import Final

NAME_TYPES: Final[tuple[tuple[str, str], ...]] = (
    (
        "Minor",
        r"\bminors?\b|\bnatural\s+guardian\b"
        r"|\bthrough\s+(?:his|her)\s+(?:guardian|next\s+friend)",
    ),
    (
        "Union of India",
        r"\bunion\s+of\s+india\b|\bcentral\s+government\b|\bgovernment\s+of\s+india\b"
        r"|\bincome[\s-]?tax\b|\bc\.?\s?i\.?\s?t\b|\bcentral\s+excise\b|\bcustoms\b|\bc\.?b\.?i\b"
        r"|\bcentral\s+bureau\b|\bnarcotics\s+control\s+bureau\b"
        r"|\bdirectorate\s+of\s+(?:revenue|enforcement)|\benforcement\s+directorate\b"
        r"|\bwealth[\s-]tax\b|\b(?:north|south|east|west|centr)(?:ern|al)\s+railways?\b"
        r"|\bservice\s+tax\b|\bgift[\s-]tax\b",
    ),
    (
        "State",
        r"\A(?:the\s+)?state\b(?!\s+(?:bank|trading|farms?|road))|\bstate\s+(?:of|government)\b"
        r"|\b(?:government|govt\.?)\s+of\b|\bunion\s+territory\b|\bn\.?c\.?t\.?\s+of\b"
        r"|\bmunicipal\w*|\bnagar\s+(?:palika|parishad|panchayat|mahapalika|nigam)"
        r"|\bmahanagar\s*palika|\b(?:zilla|zila)\s+parishad|\bpanchayat\b|\bgram\s+sabha"
        r"|\bcantonment\s+board|\bdistrict\s+magistrate\b|\bland\s+(?:acquisition|reforms)\b"
        r"|\b(?:development|housing|improvement)\s+(?:authority|trust|board)|\belectricity\s+board"
        r"|\b(?:sales|commercial)[\s-]tax\w*|\bexcise\s+and\s+taxation|\badministration\b"
        r"|\A(?:the\s+)?(?:\w+\s+){0,3}(?:collector|commissioner|director|secretary)\b"
        r"|\bsuperintendent\s+of\s+police|\b(?:director|inspector)\s+general|\bpublic\s+prosecutor"
        r"|\bpublic\s+service\s+commission|\bhigh\s+court\b|\btehsildar\b"
        r"|\b(?:executive|chief)\s+engineer|\bforest\s+(?:officer|department)|\bfood\s+inspector",
    ),
    (
        "Corporation",
        r"\b(?:ltd|limited|pvt|co|inc|llp|corpn?)\b\.?|\bm/s\b|\bmessrs\b|\bcompan(?:y|ies)\b"
        r"|\bcorporation\b|\bbank\b|\bindustr(?:y|ies)\b|\bmills?\b|\b(?:ins|ass)urance\b|\btraders\b"
        r"|\benterprises?\b|\bsociety\b|\btrust\b|\b(?:and|&)\s+(?:sons|bros|brothers)\b|\bbrothers\b"
        r"|\buniversity\b|\bcollege\b|\bschool\b|\binstitute\b|\bassociation\b|\bfederation\b"
        r"|\bunion\b|\bboard\b|\bfactory\b|\bworks\b|\btransport\b|\bagenc(?:y|ies)\b|\bhospital\b"
        r"|\bfinance\b|\bmanagement\s+of\b|\bexports?\b|\bhotels?\b|\bsangh\b|\bsamiti\b|\bmath\b"
        r"|\btemple\b|\bdistill\w+|\bbuilders\b|\bmines\b|\bcolliery|\bchemicals?\b|\btextiles?\b"
        r"|\bproducts\b|\bplastics\b|\bmotors\b|\bauthority\b|\bcentre\b|\bcommittee\b|\bcouncil\b"
        r"|\bpublishers?\b|\bcommission\b|\bfirm\b",
    ),
)
"""(party type, pattern of a name), the first that matches counts; a name with none is a person."""

_OFFICE: Final = (
    r"(?:in|of|at|with)\s+(?:the\s+|a\s+)?(?:\w+\s+){0,4}?(?:office|court|department|government"
    r"|govt|collectorate|t(?:eh|ah)sil|municipality|secretariat|directorate|division|railways?"
    r"|police|treasury)"
)

TEXT_TYPES: Final[tuple[tuple[str, str], ...]] = (
    (
        "Minor",
        r"minors?\b(?!\s+(?:\w+['’]s|injur|offence|dispute|quarrel))|juveniles?\b"
        r"|child\s+in\s+conflict\s+with\s+law",
    ),
    ("Union of India", r"Union\s+of\s+India|Central\s+Government"),
    (
        "State",
        r"State(?:\s+Government)?(?!\s+(?:Bank|Road|Trading))\b|[Mm]unicipality"
        r"|[Mm]unicipal\s+(?:[Cc]orporation|[Cc]ouncil|[Cc]ommittee)|(?:[Gg]ram\s+)?[Pp]anchayat"
        r"|(?:[Dd]evelopment|[Hh]ousing)\s+(?:[Aa]uthority|[Bb]oard)|[Ee]lectricity\s+[Bb]oard",
    ),
    (
        "Public servant",
        r"(?:(?:head|police)\s+)?constables?\b|(?:(?:assistant\s+)?sub[\s-]*)?inspectors?\b"
        r"|(?:naib\s+|deputy\s+)?t(?:eh|ah)sildars?\b|patwari\b|lekhpal\b|kanungo\b|talathi\b"
        r"|gram\s+sevak\b|(?:public|government|civil|railway)\s+servants?\b"
        r"|police\s*(?:officers?|officials?|men|man)\b|station\s+house\s+officers?\b"
        r"|forest\s+(?:guard|ranger|officer)s?\b|block\s+development\s+officer\b"
        r"|(?:junior|assistant|executive|superintending|chief)\s+engineers?\b"
        r"|(?:deputy\s+)?superintendent\s+of\s+police|(?:(?:judicial|executive)\s+)?magistrate\b"
        r"|munsif\b|(?:excise|sales\s+tax|income[\s-]tax|revenue|customs)\s+officers?\b"
        r"|post\s?master\b|postman\b|village\s+(?:accountant|officer)\b"
        r"|(?:medical|drugs?|food)\s+(?:officer|inspector)\b|jail(?:or|er|\s+warder)\b|warder\b"
        r"|(?:clerk|peon|accountant|cashier|stenographer|assistant|officer|driver|superintendent"
        rf"|surveyor)\s+{_OFFICE}"
        r"|government\s+(?:teacher|doctor|employee|official|officer|clerk)s?\b"
        r"|teacher\s+in\s+(?:a\s+|the\s+)?government\s+school",
    ),
    ("Contractor", r"contractors?\b"),
    ("Tenant", r"(?:sub-?)?tenants?\b|lessees?\b"),
    ("Licensee", r"licensees?\b"),
    (
        "Employee",
        r"work(?:man|men)\b|employees?\b|(?:bus\s+)?conductors?\b|watchman\b|workers?\b"
        r"|probationers?\b|salesman\b|machine\s+operators?\b|security\s+guard\b",
    ),
    (
        "Corporation",
        r"(?:compan(?:y|ies)|corporation|firm|bank|society|trust|insurer|mills?|hospital"
        r"|institution|university|college|association|board|manufacturer)\b",
    ),
    (
        "Individual",
        r"landlords?\b|landlad(?:y|ies)\b|owners?\b|housewife\b|wife\b|husband\b|son\b|daughter\b"
        r"|mother\b|father\b|brothers?\b|sisters?\b|widow\b|farmers?\b|agriculturists?\b"
        r"|cultivators?\b|business\s?man\b|shop\s?keepers?\b|traders?\b|advocates?\b|students?\b"
        r"|(?:wo)?m[ae]n\b|doctors?\b|drivers?\b|villagers?\b|mason\b|tailor\b|labourers?\b"
        r"|partners?\b|proprietor\b|director\b",
    ),
)
"""(party type, pattern of a noun beside the party), in order of precedence."""

PETITIONER: Final = (
    r"(?:appellants?|petitioners?|applicants?|plaintiffs?|claimants?|(?:my|our)\s+client)"
)
RESPONDENT: Final = r"(?:respondents?|defendants?|opposite\s+part(?:y|ies)|non-applicants?)"
ACCUSED: Final = r"(?:accused)"
