"""The version of Thalamus."""

VERSION = "0.1.0"
