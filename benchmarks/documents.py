"""A scenario text of the usual size, made from the example record, for measuring the auditor."""

from __future__ import annotations

ROWS = 12
PARAGRAPHS = 14


def scenario_text() -> str:
    """Some twenty thousand characters with tables, calculations and prose, all of them right."""
    steps = "\n".join(
        f"| {step} | Shove the table under the window and hold it there while the glass falls. | 2 min | {2 * step} min |"
        for step in range(1, ROWS + 1)
    )
    objects = "\n".join(
        f"| Oak plank {number} | {0.7 * number * 2.5:.1f} kg | {number * 10}cm x 25cm x 10cm | Oak | Lies by the door |"
        for number in range(1, ROWS + 1)
    )
    checks = "\n".join(
        f"- **Load {number}**: {number} x 75 kg x 9.81 m/s^2 = {number * 75 * 9.81:.0f} N, over {number} x 0.5 m x 2 m = {number} m^2, that is "
        f"{75 * 9.81:.0f} Pa; sqrt(2 x 9.81 x {number}) = {(2 * 9.81 * number) ** 0.5:.2f} m/s after a fall of {number} m (about {number * 100} cm)."
        for number in range(1, 3 * ROWS)
    )
    prose = "\n\n".join(
        "You stand in a bare room of concrete with one window far above your head, and somebody has left the furniture of a school hall in it. "
        "Water comes in under the door at 12 litres a minute and has nowhere to go; the lamp will last as long as its battery, and the "
        "corridor beyond is quiet. Nothing here was made for climbing, and everything here was made to be stood on by children."
        for _ in range(PARAGRAPHS)
    )
    return (
        f"# IM-9001: The School Hall\n\n**Category**: The Locked Room\n**Difficulty**: FRACTURE (3.2.2.2.3.2)\n\n## Scenario\n\n{prose}\n\n### Available Objects\n\n"
        f"| Object | Mass | Dimensions | Material | Notes |\n|---|---|---|---|---|\n{objects}\n\n## Verified Solution\n\n### Step-by-step\n\n"
        f"| Step | Action | Time Cost | Cumulative |\n|---|---|---|---|\n{steps}\n\n**Total time: {2 * ROWS} minutes.**\n\n### Physics Validation\n\n{checks}\n"
    )
