"""The world of a record: its model, its compiled engine, value formatting and puzzle solutions."""
