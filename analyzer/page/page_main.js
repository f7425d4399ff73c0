/* Draws the page that the data are for. */
if (data.kind === "diff")
  showComparison();
else
  showCapture();
document.body.dataset.drawn = "yes";
