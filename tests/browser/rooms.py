"""What a person does and sees in the rooms of the page."""

from typing import Any


def square(page: Any, name: str) -> Any:  # noqa: ANN401 - playwright's
    return page.locator(f'.bcb-square[data-square="{name}"]')


def move(page: Any, start: str, end: str) -> None:  # noqa: ANN401
    square(page, start).click()
    square(page, end).click()


def press(page: Any, *names: str) -> None:  # noqa: ANN401
    """Click on the buttons with these names."""
    for name in names:
        page.get_by_role("button", name=name).click()


def line(page: Any) -> str:  # noqa: ANN401
    """The line to the current node of a tree."""
    return " ".join(page.locator(".bc-line button").all_inner_texts())
