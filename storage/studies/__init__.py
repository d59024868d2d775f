"""Two arms over a collection: what each question's two prompts held, and what that adds up to."""
