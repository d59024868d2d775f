"""How Alembic runs here: on the connection that the program hands over, inside its transaction."""

from alembic import context

from storage.tables import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
context.run_migrations()
