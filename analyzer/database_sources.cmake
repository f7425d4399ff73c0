# The SQLite side of the analyzer: import, the model of a database, queries.
target_sources(ludus_analyzer PRIVATE
  database.c
  database_calls.c
  database_failure.c
  database_file.c
  database_insert.c
  database_model.c
  database_model_tables.c
  database_names.c
  database_schema.c
  database_select.c
  database_statistics.c
  database_writer.c
  frame_percentiles.c
  frames_with_calls.c
  import.c
  input_kind.c
  perfetto_database.c
  query.c
  query_guard.c
  query_rows.c
  query_table.c)
