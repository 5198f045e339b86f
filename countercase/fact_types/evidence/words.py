"""The words by which a narrative says that there is evidence, type by type.

Patterns are matched inside one sentence, ignoring case. Where two types could claim the same
words the earlier one in `TRIGGERS` takes them (`extra-judicial confession` before `confession`).
"""

from __future__ import annotations

from typing import Final


def _any(*patterns: str) -> str:
    return "|".join(patterns)


_BODY: Final = r"(?:dead\s?bod(?:y|ies)|bod(?:y|ies)|corpse)"
_EVENT: Final = (
    r"(?:incident|inciden[ct]e|occurrence|assault|attack|murder|crime|accident|killing|act)"
)
_ACT: Final = (
    rf"(?:{_EVENT}|assault\w+|attack\w+|accused|appellants?|assailants?|A-?\s?\d+|miscreants"
    r"|dacoits|culprits?|robbers?|armed|run(?:ning)?\s+away|flee(?:ing)?|fled|escap\w+"
    r"|beat(?:ing|en)?|strik\w+|struck|stabb\w+|fir(?:ed|ing)|shoot\w*|shot|inflict\w+|kill\w+"
    r"|murder\w+|dragg\w+|throttl\w+|strangul\w+|robb\w+|pour\w+|quarrel\w*|scuffle"
    r"|theft|stealing|setting\s+fire|blows?|hitting|raped?|raping|forcibly|hand(?:ed|ing)\s+over)"
)
_SPOKE: Final = (
    r"(?:deposed|stated|narrated|told|disclosed|informed|testified|described|complained|revealed"
    r"|identified|reported|implicated|named|confided)"
)
_SAID: Final = r"(?:told|disclosed|narrated|named|stated|said|informed|declared)"
_FATAL_ACT: Final = (
    r"(?:set\s+(?:her|him)|kerosene|ablaze|on\s+fire|stabbed|poison\w*|had\s+(?:shot|assaulted"
    r"|attacked|burnt|beaten))"
)
_POLICE: Final = r"(?:police|magistrate|inspector|officer|court)"
_DOCTOR: Final = (
    r"(?:doctors?|surgeon|medical\s+officer|dr\.?\s+[A-Z][\w.]*(?:\s+[A-Z][\w.]*){0,3})"
)
_HIS: Final = r"(?:the|his|her|its|their)"
_MONEY_RECOVERED: Final = (
    rf"(?:(?:{_HIS}\s+)?(?:possession|money|dues|debts?|loans?|rent|arrears|damages|tax|amount"
    r"|huge|compensation)|officer|certificate|proceedings?|suit|tribunal"
    rf"|from\s+{_HIS}\s+(?:injur\w+|illness))"
)

TRIGGERS: Final[tuple[tuple[str, str], ...]] = (
    (
        "dying_declaration",
        _any(
            r"dying[\s-]+declarations?",
            rf"\b{_SAID}\b[^.;]{{0,90}}?\bbefore\s+(?:(?:his|her|their)\s+death|dying"
            r"|(?:he|she|they)\s+(?:died|succumbed|breathed))",
            rf"\bbefore\s+(?:(?:his|her)\s+death|dying|succumbing)\b[^.;]{{0,60}}?\b{_SAID}\b",
            r"\bstatements?\b[^.;]{0,70}?\bin\s+(?:the\s+)?presence\s+of\s+(?:the\s+|a\s+)?doctors?",
            r"\bstatement\s+of\s+(?:the\s+)?(?:deceased|burnt)\b",
            rf"\bdeceased\b.{{0,80}}?\b{_SAID}\b.{{0,80}}?\bthat\s+(?:he|she)\s+(?:was|is)\s+"
            r"(?:being\s+taken|going\s+(?:with|along|to\s+meet))\b",
            rf"\bdeceased\b[^.;,]{{0,30}}\b{_SAID}\b.{{0,80}}?\b{_FATAL_ACT}",
        ),
    ),
    (
        "extrajudicial_confession",
        _any(
            r"extra[\s-]?judicial\s+confessions?",
            r"\bconfess(?:ed|ion|ing)\b[^.;]{0,50}?\b(?:before|to)\s+"
            rf"(?!(?:\w+\s+){{0,3}}{_POLICE}|(?:the\s+)?(?:crime|charge|offence|murder|guilt|killing"
            r"|commission|investigating|having|have|be)\b)(?:\w+\s+){0,2}\w+",
        ),
    ),
    (
        "confession",
        _any(
            r"\b(?:judicial\s+)?confessional\s+statements?",
            r"\bjudicial\s+confessions?",
            r"\b(?:retracted\s+)?confessions?\b",
            r"\bconfess(?:ed|es|ing)?\b",
            r"\b(?:admitted|accepted)\s+(?:his|her|their|the)\s+(?:guilt|crime|offence)",
            r"\binculpatory\s+statements?",
        ),
    ),
    (
        "test_identification",
        _any(
            r"\btest[\s-]+identification(?:\s+parades?)?",
            r"\bidentified\s+(?:(?:the|both|all|said|present|two|three|five)\s+)*"
            r"(?:accused|appellants?|respondents?|assailants?|culprits?|him|them|ornaments|articles)\b",
            r"\bidentified\s+(?:as|with)\b[^.;]{0,40}?\b(?:that\s+of|those\s+of|belonging)",
            r"\bidentification\s+parades?",
            r"\bT\.?\s?I\.?\s?(?:parades?|P\b\.?)",
        ),
    ),
    (
        "last_seen",
        _any(
            r"\blast\s+seen(?:\s+(?:alive|together))?",
            r"\bseen\s+(?:alive\s+)?(?:together|in\s+(?:the\s+)?company)",
            r"\bseen\b[^.;]{0,60}?\b(?:going|leaving|walking|travelling|proceeding|accompanying)\b",
            r"\bseen\s+with\s+(?:the\s+)?(?:accused|appellants?|deceased)",
            r"\bsaw\b[^.;]{0,60}?\b(?:together|in\s+(?:the\s+)?company\s+of|going\s+(?:with|along)"
            r"|taking\s+(?:the\s+|a\s+)?(?:deceased|girl|child|boy|victim))",
        ),
    ),
    (
        "eyewitness",
        _any(
            r"\beye[\s-]?witness(?:es|ed)?",
            r"\bocular\s+(?:evidence|testimony|witness(?:es)?|account|version)",
            r"\b(?:chance|injured|solitary|independent)\s+witness(?:es)?\b",
            rf"\bwitness(?:ed|ing)\s+(?:by\b|the\s+(?:whole\s+|entire\s+)?{_EVENT}\b)",
            rf"\b(?:saw|seen|noticed|witnessed)\b(?!\s*,|\s+(?:the\s+|his\s+|her\s+)?{_BODY})"
            rf"[^.;]{{0,90}}?\b{_ACT}\b",
            rf"\b{_ACT}\b[^.;]{{0,60}}?\b(?:was|were|been)\s+(?:also\s+)?(?:seen|witnessed|noticed)\b",
            r"\b(?:was|were|is)\s+(?:also\s+)?seen\s+by\b",
            r"\bin\s+the\s+presence\s+of\s+(?:the\s+|these\s+|this\s+)?"
            r"(?:witness(?:es)?|complainant|informant)",
            r"\bat\s+the\s+time\s+of\s+(?:the\s+)?(?:occurrence|incident)\b[^.;]{0,90}?\bpresent\b",
            rf"\bpresent\s+at\s+the\s+(?:time|scene|spot|place)\s+of\s+(?:the\s+)?{_EVENT}",
            rf"\bwatched\s+(?:the\s+)?{_EVENT}",
            r"\bfound\s+(?:the\s+)?(?:\w+\s+){1,3}(?:being\s+(?:assaulted|beaten|attacked)|beating"
            r"|assaulting|stabbing|strangulating|having\s+sexual)",
        ),
    ),
    (
        "victim_testimony",
        _any(
            r"\b(?:prosecutrix|victim(?:\s+girl)?|survivor|injured\s+(?:person|complainant))"
            rf"(?:,?\s+(?!of\b)[^.;]{{0,120}}?)?\s{_SPOKE}\b",
            r"\b(?:statements?|testimony|evidence|deposition|version|complaint)\s+of\s+(?:the\s+)?"
            r"(?:prosecutrix|victim|survivor|girl)\b",
            r"\b(?:prosecutrix|victim)(?:'s|’s)\s+(?:statement|testimony|evidence|deposition)",
        ),
    ),
    (
        "medical",
        _any(
            r"\b(?:post[\s-]?mortem|autopsy)(?:\s+(?:examination|reports?|certificate|notes?))?",
            r"\bmedico[\s-]?legal(?:\s+(?:reports?|examination|certificate))?",
            r"\bM\.?L\.?[CR]\b",
            r"(?<!periodic )(?<!periodical )(?<!annual )\bmedical\s+(?:evidence|examinations?"
            r"|reports?|opinion|certificates?|records?|test|board|jurist|ruqas?)",
            r"\bmedically\s+examined",
            r"\b(?:injury|wound)\s+(?:reports?|certificates?)",
            rf"\b{_DOCTOR}(?:\s*\([^)]*\))?(?:,[^.;,]{{0,30}},)?\s+(?:\w+\s+){{0,3}}?"
            r"(?:opined|examined|found|certified|conducted|explained|deposed|noticed|stated|held"
            r"|performed|was\s+(?:\w+\s+)?of\s+(?:the\s+)?opinion)\b",
            rf"\b(?:examined|treated)\s+by\s+(?:the\s+|a\s+)?{_DOCTOR}",
            rf"\bopinion\s+of\s+(?:the\s+)?(?:concerned\s+|civil\s+)?{_DOCTOR}",
            r"\bante[\s-]?mortem\b",
            rf"\b(?:noted|noticed|found|certified|opined)\s+by\s+(?:the\s+)?{_DOCTOR}",
            r"\bligature\s+marks?",
            r"\bossification\s+test",
            r"\bradiological\s+\w+",
            r"\bcause\s+of\s+(?:the\s+)?death\s+(?:was|as|is|to\s+be)",
            r"\bdeath\s+occurred\s+(?:due\s+to|as\s+a\s+result\s+of)",
            r"\bdisability\s+certificate",
        ),
    ),
    (
        "forensic",
        _any(
            r"\bF\.?S\.?L\b\.?",
            r"\bforensic\s+(?:science\s+)?(?:laboratory|report|evidence|examination|expert)",
            r"\bC\.\s?A\.?(?:['’]s)?\s+reports?",
            r"\bchemical\s+(?:examiner|analysis|analyst|analy[sz]er|examination|report|test)(?:['’]s)?"
            r"(?:\s+report)?",
            r"\bserolog(?:ist|y|ical)(?:['’]s)?(?:\s+report)?",
            r"\bballistics?(?:\s+(?:expert|report|opinion))?",
            r"\bDNA(?:\s+(?:tests?|report|profil\w+))?",
            r"\bfinger[\s-]?prints?",
            r"\bviscera\b",
            r"\bhuman\s+blood\b",
            r"\bblood\s+group\w*",
            r"\bvaginal\s+(?:swabs?|smears?)",
            r"\bpublic\s+analyst",
            r"\bphenolphthalein",
            r"\bsamples?\s+(?:was|were)\s+(?:sent|tested|analysed)",
        ),
    ),
    (
        "electronic_record",
        _any(
            r"\b(?:CCTV|closed[\s-]circuit)(?:\s+(?:footage|camera|recording))?",
            r"\bcall\s+(?:(?:details?|data)\s*)?records?",
            r"\bCDRs?\b",
            r"\b65-?B\s+certificates?",
            r"\b(?:audio|video|tape)[\s-]*(?:tapes?|cassettes?|record\w*|clips?|footage|graph\w*"
            r"|camera)",
            r"\bpen[\s-]?drives?",
            r"\b(?:compact|hard)\s+dis[ck]s?",
            r"\bmemory\s+cards?",
            r"\bWhats\s?App(?:\s+(?:messages?|chats?))?",
            r"\be-?mails?\b",
            r"\bS\.?M\.?S\b",
            r"\btext\s+messages?",
            r"\bmobile(?:\s+phone)?\s+(?:records?|locations?|towers?)",
            r"\belectronic\s+(?:records?|evidence)",
            r"\bintercepted\s+(?:calls?|conversations?)",
            r"\brecorded\s+(?:telephon\w+\s+)?conversations?",
        ),
    ),
    (
        "expert_opinion",
        _any(
            r"\b(?:handwriting|hand-writing|document)\s+(?:experts?|examiner)(?:['’]s)?"
            r"(?:\s+(?:report|opinion))?",
            r"\bexpert(?:['’]s)?\s+(?:opinion|evidence|report|witness)",
            r"\bopinion\s+of\s+(?:the\s+|an\s+)?expert",
            r"\bvaluation\s+reports?",
            r"\b(?:approved\s+|registered\s+)?valuers?\b",
            r"\b(?:surveyor|architect|engineer|mechanic|valuer)['’]s\s+report",
            r"\breport\s+of\s+(?:the\s+|an?\s+)?(?:surveyor|architect|engineer|expert"
            r"|motor\s+vehicle\s+inspector)",
            r"\bapprais(?:er|al)\b[^.;]{0,60}?\b(?:certified|report\w*|found)",
            r"\btechnical\s+(?:expert|report)",
        ),
    ),
    (
        "recovery",
        _any(
            r"\b(?:recovered|recovery|recovering)\b(?!\s+(?:of\s+)?"
            rf"{_MONEY_RECOVERED}\b|\s+(?:of\s+)?(?:the\s+)?(?:prosecutrix|girl|victim|child))",
            r"\bdiscovery\b(?=[^.;]{0,80}?\b(?:instance|pointing|disclos))",
            r"\bseiz(?:ed|ure|ing)\b(?!\s+(?:of|with)\s+(?:the\s+)?(?:matter|case|lis|issue))",
            r"\b(?:seizure|recovery|disclosure)\s+(?:memos?|statements?|panchnama|mahazar)",
            r"\b(?:tak(?:en|ing)|took)\s+into\s+(?:police\s+)?possession",
            rf"\bfound\s+(?:to\s+be\s+)?in\s+(?:(?:{_HIS}|conscious)\s+)*possession",
            r"\b(?:collected|picked\s+up|lifted)\s+(?:the\s+)?(?:blood|earth|pellets|empt(?:y|ies)"
            r"|cartridges?|soil)",
            r"\bled\s+the\s+police\s+(?:party\s+)?to\b",
        ),
    ),
    (
        "documentary",
        _any(
            r"\b(?:registered|unregistered|title|sale|gift|lease|mortgage|partnership|trust"
            r"|settlement|partition|release|rent|adoption)[\s-]+deeds?",
            r"\bdeeds?\s+of\s+\w+",
            r"\bdeeds?\b(?=\s+(?:dated|executed))",
            r"(?<!bail )(?<!personal )(?<!surety )\bbonds?\b(?!\s+(?:for|with|between|of)\b)",
            r"\b(?:application|claim|withdrawal|admission|transfer|declaration|proposal|nomination"
            r"|requisition)\s+forms?",
            r"\b(?:pamphlets?|posters?|leaflets?|diary|diaries|mark\s?sheets?|answer[\s-]?(?:books?"
            r"|sheets?)|log\s?books?|cash\s+memos?|stamp\s+papers?|bills?\s+of\s+lading|FDRs?"
            r"|consignment\s+notes?|statements?\s+of\s+accounts?|photographs?)\b",
            r"\b(?:forged|false|fictitious|bogus|fabricated)\s+(?:bills?|entries|licen[cs]es?"
            r"|records?|signatures?)",
            r"\bagreements?\s+(?:to\s+(?:sell|marry|lease|purchase)|(?:of|for)\s+(?:sale|sell)|dated"
            r"|was\s+executed|had\s+been\s+executed|which\b[^.;]{0,40}?\b(?:executed|attested))",
            r"\b(?:written|signed|printed|loan|rent|lease|sale|partnership|service|hire[\s-]purchase)"
            r"\s+agreements?",
            r"(?<!in )\bletters?\b(?!\s+of\s+(?:the\s+)?law|\s+rogatory|\s+patent)",
            r"\bsuicide\s+notes?",
            r"(?<!\bon )(?<!\bupon )(?<!\bin )(?<!\bafter )(?<!\bon the )\breceipts?\b"
            r"(?!\s+of\s+(?:severe|such|injur|a\s+(?:tele|mess)|(?:the\s+)?(?:said|information)))",
            r"\b(?:cheques?|demand\s+drafts?|pay\s+orders?|bank\s+drafts?|money\s+orders?|invoices?"
            r"|vouchers?|promissory\s+notes?|pronotes?|ledgers?|affidavits?|powers?\s+of\s+attorney"
            r"|muster\s+rolls?|jamabandi|khasra|khatauni|mutation\s+(?:entry|entries|order)"
            r"|ration\s+cards?|passports?(?!\s+office)|identity\s+cards?|driving\s+licen[cs]es?"
            r"|bank\s+statements?|pass\s?books?|insurance\s+polic(?:y|ies)|audit\s+reports?)\b",
            r"\b(?:account|cash|stock|day|bill)[\s-]?books?",
            r"\bbooks?\s+of\s+accounts?",
            r"\baccounts?\s+books?",
            r"\b(?:the|his|her|school|stock|attendance|admission|birth|driving|cash|service|office"
            r"|delivery|property)\s+registers?\b(?!\s+of\s+(?:companies|societies))",
            r"\b(?:school(?:\s+leaving)?|birth|leaving|degree|transfer|caste|provisional|marriage"
            r"|income|bogus|forged|false|fake|fabricated|matriculation|educational|experience|share"
            r"|revenue\s+collection)\s+certificates?",
            r"\bcertificates?\s+(?:issued|of\s+birth|showing)",
            r"\b(?:service|school|revenue|bank|land|municipal)\s+(?:records?|entries)",
            r"\brecord\s+of\s+rights",
            r"\bservice\s+book",
            r"\b(?:executed|made|registered|last)\s+(?:a\s+|the\s+)?will\b",
            r"\bwill\s+dated",
            r"\b(?:legal|statutory|demand|registered|lawyer['’]s)\s+notices?\b",
            r"\bnotice\s+of\s+demand",
            r"\bserved\s+(?:a|the)\s+notice",
            r"\bnotice\s+dated",
            r"\b(?:forged|fabricated|false|bogus|genuine|incriminating|official)\s+documents?",
            r"\bforgery\s+of\s+documents",
            r"\bdocumentary\s+(?:evidence|proof)",
            r"\bEx(?:h|t|hibit)?s?\b\.?\s*[A-Z]{0,2}[\s-]*\d+[^.;]{0,25}?\b(?:was|were)\s+(?:also\s+)?"
            r"(?:produced|marked|exhibited|proved)",
            r"\bforms?\s+(?:was|were)\s+(?:\w+\s+)?(?:filled|signed|submitted)",
            r"\bdocuments?\s+(?:(?:was|were)\s+(?:also\s+)?(?:registered|executed|produced|exhibited"
            r"|forged|proved|filed|marked)"
            r"|showing|of\s+title)",
        ),
    ),
    (
        "motive",
        _any(
            r"\b(?:motives?|enmity|inimical(?:\s+terms)?|animosity|grudges?|rivalry|ill[\s-]will"
            r"|vendetta|vengeance|revenge|feuds?|bad\s+blood|retaliation|greed(?!\s+(?:of|for)\s+dowry))\b",
            r"\b(?:strained|hostile)\s+(?:relations?\w*|terms)",
            r"\brelations?\w*\b.{0,90}?\bstrained",
            r"\b(?:old|previous|prior|long[\s-]standing|land|property|family|boundary|earlier)\s+"
            r"(?:\w+\s+)?(?:disputes?|quarrels?|litigation)",
            r"\bdisputes?\s+(?:over|about|regarding|relating\s+to|in\s+respect\s+of|between"
            r"|in\s+between|on\s+the\s+land|in\s+the\s+village|with|concerning|existed"
            r"|was\s+going\s+on)",
            r"\bthere\s+(?:was|were|had\s+been|existed|arose)\s+(?:(?:a|an|some|also)\s+)*"
            r"(?:disputes?|quarrels?|litigation)",
            r"\bquarrel(?:s|led)?\s+(?:over|about|ensued|between|had\s+taken\s+place|took\s+place"
            r"|regarding|with)",
            r"\b(?:love\s+affair|illicit\s+(?:relation\w*|intimacy|affair))",
            r"\bsuspect(?:ed|ing)\s+(?:her|his)\s+(?:character|fidelity|chastity)",
            r"\blitigation\s+(?:between|was\s+pending|pending)",
            r"\b(?:resolve|settle)\s+the\s+dispute",
            r"\b(?:cause\s+of|reason\s+(?:for|behind))\s+(?:the\s+)?(?:attack|assault|quarrel|crime"
            r"|murder|incident|occurrence|killing)\b",
            r"\bsuspicion\s+that\b",
            r"\bpick(?:ed|ing)?\s+up\s+(?:a\s+)?quarrels?",
            r"\bto\s+(?:avenge|grab\s+(?:the|his|her|their)\s+(?:property|land|house))\b",
            r"\bto\s+teach\s+(?:him|her|them|the\s+\w+)\s+a\s+lesson",
        ),
    ),
)
"""(evidence type, pattern) in order of precedence."""

EXCEPTIONS: Final[tuple[tuple[str, str, str, str], ...]] = (
    (
        "recovery",
        r"recovered\b",
        rf"\b(?:s?he|they|prosecutrix|girl|victim|child|boy|{_BODY})\b[^.;,]{{0,60}}"
        r"\b(?:was|were|been|be)\s+(?:later\s+)?\Z",
        r"instance|pointing|disclos|confess|information\s+(?:given|furnished)",
    ),
    (
        "recovery",
        rf"recover(?:ed|y)\s+(?:of\s+)?(?:the\s+)?{_BODY}",
        r"",
        r"instance|pointing|disclos|confess|information\s+(?:given|furnished)",
    ),
    (
        "test_identification",
        r"identified",
        rf"\b{_BODY}\b",
        r"\A\Z",
    ),
    (
        "eyewitness",
        r"in\s+the\s+presence",
        r"\b(?:inquest|seiz|recover|mahazar|panch|prepar|signed|drawn)",
        r"\A\Z",
    ),
)
"""(type, trigger, before, unless): such a trigger is no evidence where `before` is found in what
the sentence says before it, except where `unless` is found in the sentence."""

ABSENT_BEFORE: Final = (
    r"\b(?:no(?!\.)|not(?!\s+only)|never|without|neither|nor|absence\s+of|lack\s+of|want\s+of|none"
    r"|nothing|failed\s+to|could\s+not|did\s+not|devoid\s+of|non)\b[\s-]+(?:[\w'’/-]+\s+){0,4}\Z"
)
"""Words before a trigger that say the evidence is denied or missing."""

ABSENT_AFTER: Final = (
    r"\A\s*(?:[\w'’-]+\s+){0,2}?(?:was|were|has|have|had|is|are|could)\s+(?:been\s+)?"
    r"(?:not|never|neither)\s+(?:(?:be|been|even|ever|so\s+much\s+as)\s+)*(?:held|conducted|recorded"
    r"|recovered|examined|proved|proven|made|found|available|obtained|done|performed|carried"
    r"|forthcoming|seized|put|produced|looked\s+for|searched\s+for|sought|called|collected|prepared"
    r"|filed|traced|on\s+(?:the\s+)?record)"
)
"""Words after a trigger that say the same."""
