"""The tools that come with Thalamus, one file per subject."""
