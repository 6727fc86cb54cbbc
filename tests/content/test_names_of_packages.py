"""The project that a package belongs to, from the same rows by which a paste names projects."""

import pytest

from app.content.names import project_of_package

PACKAGES = {
    "torch": "pytorch",
    "swift": "ms-swift",
    "datasets": "huggingface",
    "huggingface_hub": "huggingface",
    "skyrl_train": "skyrl",
    "vllm": "vllm",
    "flash_attn": "flash-attn",
    "torchvision": "torchvision",
}


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_leads_to_its_project(package: str) -> None:
    assert project_of_package(package) == PACKAGES[package]
