/* Draws the page. */
showCapture();
document.body.dataset.drawn = "yes";
