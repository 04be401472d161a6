"""What pyproject.toml cannot say: all packages, found anew for each build, and assets/ as a folder of theirs."""

from setuptools import find_packages, setup

ASSETS = "desktop_agent.assets"

setup(
    packages=[*find_packages(include=["desktop_agent", "desktop_agent.*"]), ASSETS],
    package_dir={ASSETS: "assets"},
    package_data={
        ASSETS: ["**/*"],
        "desktop_agent.extras": ["*/assets/**/*"],
        "desktop_agent.extras.project.orchestrator": ["**/*.json"],
    },
    # Byte code lies beside the environments' files wherever they have been used.
    exclude_package_data={ASSETS: ["readme/*", "**/*.pyc"], "desktop_agent.extras": ["**/*.pyc"]},
)
