"""What is known of things and people: the library that records are judged within."""
