"""Rank 13: what a model was given to read, and why. Start with `streamlit run app.py`."""

from pages.ui import frame

if __name__ == "__main__":
    frame.run()
