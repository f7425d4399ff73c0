/* The page's document, as the build puts it together of its HTML, CSS and JavaScript. Private to
 * the analyzer. */
#ifndef TRACE_PAGE_DOCUMENT_H
#define TRACE_PAGE_DOCUMENT_H

/* What is before the data, and behind them. */
const char *ludus_page_head(void);
const char *ludus_page_tail(void);

#endif
