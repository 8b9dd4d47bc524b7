// What the theme lacks for people who use a keyboard or a screen reader: a name for the search, and focus for what scrolls.
function mend() {
  for (const dialog of document.querySelectorAll(".md-search[role=dialog]:not([aria-label])")) {
    dialog.setAttribute("aria-label", "Search");
  }
  for (const box of document.querySelectorAll(".md-typeset pre > code:not([tabindex]), .md-typeset__scrollwrap:not([tabindex])")) {
    box.tabIndex = 0;
  }
}
mend();
new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
