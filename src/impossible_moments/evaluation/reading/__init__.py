"""How an answer is read: its words as things, verbs and figures of a record, and its plan as calls that are executed."""
