"""The pipeline: cast selection, driver, review desk, replay and `Pipeline`, the front door of this package."""
