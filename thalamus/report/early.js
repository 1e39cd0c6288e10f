"use strict";
document.documentElement.classList.add("js");
try {
  const kept = localStorage.getItem("thalamus-theme");
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
} catch {}
