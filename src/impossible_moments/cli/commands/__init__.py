"""Command declarations of `im`: names, arguments and options."""
