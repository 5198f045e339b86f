"""Wordings that every area shares: names, circumstances, procedure, provisions, parties."""

from __future__ import annotations

from typing import Final

FIRST_NAMES: Final = (
    *("Devraj", "Sohini", "Baldevan", "Kamlesha", "Rituparn", "Omvati", "Harshul", "Jagmeet"),
    *("Tarulata", "Vasudhan", "Nirmalya", "Girdhari", "Pushpanj", "Sarvesha", "Mohitosh", "Leelam"),
)
LAST_NAMES: Final = (
    *("Solkaria", "Bhendwal", "Tarnoli", "Khaprekar", "Dumriya", "Jhavlekar", "Mundhaliya"),
    *("Ekdaria", "Phulgavkar", "Rathodiya", "Sankhola", "Vadhnere", "Chirmule", "Gavlikar"),
)
STATES: Final = ("State of Solangarh", "State of Tarnavati", "State of Kestarpur")
PLACES: Final = (
    *("Bhimvari", "Jhumrola", "Ekdara", "Sonpalli", "Khirgaon", "Undhela", "Mathvada", "Rupnoli"),
)

CIRCUMSTANCES: Final[tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]] = (
    (
        ("{Event} occurred {it}.", "It was {it} that {event} occurred."),
        (
            *("beside a kiln", "near a ferry", "behind a fort", "in an orchard"),
            *("at a siding", "outside a warehouse", "by a temple", "along a canal"),
        ),
    ),
    (
        ("{Event} fell {it}.", "It was {it} that {event} fell."),
        (
            *("during the floods", "at harvest", "at the elections", "in a fog"),
            *("during a drought", "during a blackout", "during a festival", "in a heatwave"),
        ),
    ),
    (
        ("The family lives by {it}.", "By {it} the family lives."),
        (
            "weaving",
            "beekeeping",
            "pottery",
            "fishing",
            "tailoring",
            "masonry",
            "dairying",
            "milling",
        ),
    ),
    (
        ("There had been trouble over {it}.", "Trouble over {it} there had been."),
        (
            *("a hedge", "a borewell", "an engagement", "grazing", "a loudspeaker", "a tractor"),
            *("a footpath", "a scarecrow"),
        ),
    ),
    (
        ("Word of it came from {it}.", "From {it} came word of it."),
        (
            *("a schoolmaster", "a lorryman", "a porter", "a vendor", "a postmaster", "a musician"),
            *("a barber", "a midwife"),
        ),
    ),
)
"""Per kind of circumstance its wordings and what there is to choose from.

The wordings of a kind have the same words in another order, function words apart: a precedent is
nearer to a case by what happened, and not by how it is put.
"""

PROCEDURE: Final = (
    "Leave was granted on a limited question.",
    "Learned counsel were heard at length on two afternoons.",
    "The paper book runs into several volumes.",
    "The courts below took the same view.",
    "The High Court reversed what had been decided at first instance.",
    "An adjournment was asked for and declined.",
    "No argument was addressed on costs.",
    "The original papers were called for.",
    "Nothing turns on the delay, which was condoned.",
    "It was urged that the findings are perverse.",
    "We are not inclined to go behind concurrent findings.",
    "The appeal was taken up for final disposal.",
    "A similar plea had failed in an earlier round.",
    "The learned amicus gave valuable help.",
    "Interim protection continued until today.",
    "The judgment under challenge is a short one.",
    "Translations were supplied by both sides.",
    "The reasoning below is brief but sound.",
    "Precedents were pressed upon us from either side.",
    "We heard the matter through video link.",
    "The point was not taken at the earliest stage.",
    "No prejudice has been made out.",
    "The bench that first heard the matter had differed.",
    "Liberty was reserved to mention the matter.",
    "In the result the view below must stand or fall with this single issue.",
    "Much learning was displayed at the bar.",
    "The registry shall send the papers back.",
    "It remains to thank counsel for their assistance.",
)
DISTRACTORS: Final = (
    "A cousin at {place} had once sued over a grove of palms.",
    "The road from {place} was closed for repairs in those days.",
    "An uncle kept a shrine at {place} and took no part.",
    "Some villagers of {place} had gone on pilgrimage.",
    "A census was under way at {place}.",
    "The bridge at {place} had been washed away long ago.",
    "Two elders of {place} tried to make peace.",
    "The cattle of {place} were being vaccinated.",
    "A theatre troupe was camping at {place}.",
    "The well at {place} had run dry.",
    "A wrestling match had drawn crowds to {place}.",
    "The ration shop at {place} was shut.",
)
CLOSINGS: Final = ("Ordered accordingly.", "Let the papers go back.", "There the matter rests.")

SECTION_SAID: Final = (
    "The whole argument turned on {what}.",
    "The question is whether {what} applies to such facts.",
    "The courts below rested their view on {what}.",
    "We have read {what} with care.",
    "In our view {what} governs the matter.",
    "Reliance was placed throughout on {what}.",
)
PARTY_SAID: Final = (
    "The {role} is {what}.",
    "It is not disputed that the {role} was {what} at the time.",
    "The law treats the {role} as {what}.",
    "The standing of the {role} is that of {what}.",
)
WEAKNESS_SAID: Final = (
    "{Sentence}",
    "It was shown that {sentence}",
    "We cannot overlook that {sentence}",
)
