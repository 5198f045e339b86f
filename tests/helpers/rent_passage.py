"""A passage of a judgment that explanations rest on."""

from __future__ import annotations

PASSAGE = (
    "The tenant had not paid rent for eight months, and the landlord sued on 4 March 1981. The "
    "suit was decreed under section 12(3) of the Rent Act. The guarantor promised Rs. 5,00,000 to "
    "the bank, but Mohan signed nothing. The appeal was dismissed and the decree was confirmed."
)
