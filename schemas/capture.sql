-- The tables of a database of captures, made by `ludus-trace import`. Every table and view exists
-- always, empty or not. docs/sql.md explains them and shows what to ask.
--
-- Times (..._ns) are integer nanoseconds from the start of the capture's session. Identities and
-- flow ids, 64 bits wide, are text of 16 lowercase hexadecimal digits. Yes/no columns hold 0 or 1.
-- Ids (..._id) are unique in the database, over all captures in it; NULL means "none". Counts and
-- ticks beyond 2^63 - 1 appear as negative numbers (two's complement). Text is valid UTF-8: bytes of
-- the capture that are not became U+FFFD, and capture.names_replaced counts the texts.

PRAGMA application_id = 1279476048; -- "LCAP": how a database of captures is known from others
PRAGMA user_version = 5;            -- of this schema; raised when a name changes meaning or goes

-- What the capture says of itself ----------------------------------------------------------------

-- One row for each imported capture.
CREATE TABLE capture (
  capture_id INTEGER PRIMARY KEY,         -- number of the capture in this database, from 1 on
  file TEXT NOT NULL,                     -- name of the capture file, as it was given to import
  identity TEXT NOT NULL,                 -- the capture's own random id, 16 hex digits
  start_unix_ns INTEGER NOT NULL,         -- wall clock at time zero, ns since 1970-01-01 UTC
  window_begin_ns INTEGER,                -- it holds a part of its recording, from then on, ns; NULL: all of it
  end_ns INTEGER NOT NULL,                -- end of the recording or the part, or the last time known, ns
  process_id INTEGER NOT NULL,            -- the system's id of the recorded process
  sources INTEGER NOT NULL,               -- what was asked for: 1 what threads emit, 2 GPU samples, 3 both; 0: not known
  stats_only INTEGER NOT NULL,            -- 1: imported with --stats-only: there are no rows of events, such as slices; their statistics and counts are
  default_domain TEXT,                    -- frame domain that slice.frame_id refers to; NULL: no frames
  finished INTEGER NOT NULL,              -- 1: the recorder closed the file; 0: it was cut short
  unfinished_tail_bytes INTEGER NOT NULL, -- bytes behind the last whole block when not finished
  file_bytes INTEGER NOT NULL,            -- size of the capture file, bytes
  blocks INTEGER NOT NULL,                -- count of good blocks in the file
  blocks_skipped INTEGER NOT NULL,        -- count of good blocks of a kind not known to this version
  events INTEGER NOT NULL,                -- count of recorded events: begins, ends and others
  slices INTEGER NOT NULL,                -- count of slices: of rows in slice
  slices_begun_before INTEGER NOT NULL,   -- count of those that began before window_begin_ns: in no sum of times
  instants INTEGER NOT NULL,              -- count of instants: of rows in instant
  counts INTEGER NOT NULL,                -- count of events of counters, also of those that added 0
  gauges INTEGER NOT NULL,                -- count of values of gauges
  gauges_not_finite INTEGER NOT NULL,     -- count of those that are infinite or not a number: NULL in counter_sample
  flow_outs INTEGER NOT NULL,             -- count of flow-outs
  flow_outs_unbound INTEGER,              -- count of those to which no flow-in leads; NULL: stats_only
  flow_ins INTEGER NOT NULL,              -- count of flow-ins: of rows in flow
  flow_ins_unbound INTEGER,               -- count of those whose flow-out is not in the capture; NULL: stats_only
  machine_sampled_ns INTEGER NOT NULL,    -- time that samples of the machine cover, of all its processors together, ns; 0: not sampled
  machine_run_ns INTEGER NOT NULL,        -- part of it in which they ran something, ns
  machine_stolen_ns INTEGER NOT NULL,     -- part of it that the host of a virtual machine took away, ns
  names_replaced INTEGER NOT NULL         -- count of texts with bytes replaced by U+FFFD
);

-- What is known of the program, its build and its machine.
CREATE TABLE fact (
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  key TEXT NOT NULL,                              -- such as program, build.commit, cpu.model
  value TEXT NOT NULL                             -- what was recorded for it
);

-- What the recorder counted by the end of the recording, a row for each outcome; none when the recording was
-- not finished. What a program emitted is the sum of both.
CREATE TABLE event_count (
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  outcome TEXT NOT NULL,                          -- recorded or dropped
  scopes INTEGER NOT NULL,                        -- count of slices
  instants INTEGER NOT NULL,                      -- count of instants
  frames INTEGER NOT NULL,                        -- count of frame marks of all domains
  flows INTEGER NOT NULL,                         -- count of ends of flows, outs and ins
  gauges INTEGER NOT NULL                         -- count of values of gauges
);

-- The clocks that event times were read from.
CREATE TABLE clock (
  clock_id INTEGER PRIMARY KEY,                   -- id in this database
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  recorded_id INTEGER NOT NULL,                   -- id in the capture file
  source TEXT NOT NULL,                           -- monotonic, tsc or generic-timer
  reason TEXT NOT NULL,                           -- why the recorder chose it
  ticks_per_second INTEGER NOT NULL,              -- nominal rate, ticks per second
  step_ticks INTEGER NOT NULL,                    -- the clock's true step: the resolution of times, ticks
  calibrations INTEGER NOT NULL,                  -- count of calibrations in the capture
  max_uncertainty_ns INTEGER NOT NULL,            -- largest uncertainty of a calibration, ns
  max_residual_ns INTEGER,                        -- largest distance of a calibration from the line through the two before it, ns; NULL: fewer than three
  max_residual_ppb INTEGER                        -- the same beyond what is uncertain, billionths of the time between; NULL likewise
);

-- Pairs of ticks and nanoseconds that a clock is converted with.
CREATE TABLE calibration (
  calibration_id INTEGER PRIMARY KEY,             -- id in this database
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  clock_id INTEGER NOT NULL REFERENCES clock,     -- the clock
  tick INTEGER NOT NULL,                          -- reading of the clock, ticks; from 2^63 on as two's complement
  time_ns INTEGER NOT NULL,                       -- the same moment, ns from the session's start
  uncertainty_ns INTEGER NOT NULL                 -- how far off time_ns may be, ns
);

-- Labels of sites.
CREATE TABLE category (
  category_id INTEGER PRIMARY KEY,                -- id in this database
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  name TEXT NOT NULL,                             -- the label
  colour TEXT,                                    -- #rrggbb; NULL: none given
  waiting INTEGER NOT NULL                        -- 1: time in it is spent waiting
);

-- Places in source.
CREATE TABLE site (
  site_id INTEGER PRIMARY KEY,                    -- id in this database
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  identity TEXT NOT NULL,                         -- the same for the same place in any capture, 16 hex digits
  name TEXT NOT NULL,                             -- name of the scope or mark
  file TEXT,                                      -- source file, from the source root; NULL: not known
  line INTEGER NOT NULL,                          -- line in the file; 0: not known
  function TEXT,                                  -- function; NULL: not known
  category TEXT,                                  -- name of the category; NULL: none
  category_id INTEGER REFERENCES category,        -- the category; NULL: none
  recorded_id INTEGER NOT NULL                    -- id in the capture file
);

-- Why a part of a recording was kept, as the recorder saw it.
CREATE TABLE capture_trigger (
  trigger_id INTEGER PRIMARY KEY,                 -- id in this database
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  cause TEXT NOT NULL,                            -- frame: it took too long; call: the program asked for it
  domain_id INTEGER REFERENCES domain,            -- the frame's domain; NULL: no frame was the cause
  domain TEXT,                                    -- name of the domain
  frame_number INTEGER,                           -- number of the frame
  time_ns INTEGER NOT NULL,                       -- when it fired, at the end of the frame, ns
  duration_ns INTEGER,                            -- how long the frame was, ns
  limit_ns INTEGER,                               -- what it exceeded, ns
  text TEXT NOT NULL                              -- the reason that the program gave
);

-- Contexts of synchronous nesting: threads, fibers, GPU queues.
CREATE TABLE track (
  track_id INTEGER PRIMARY KEY,                   -- id in this database
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  name TEXT,                                      -- name given by the program; NULL: none
  kind TEXT NOT NULL,                             -- thread, fiber or gpu-queue
  os_id INTEGER NOT NULL,                         -- the system's id of the thread, may be reused; 0: none
  begin_ns INTEGER NOT NULL,                      -- when it was first seen, ns
  end_ns INTEGER NOT NULL,                        -- when it ended, or the last time known, ns
  ended INTEGER NOT NULL,                         -- 1: it ended before the capture did
  defined INTEGER NOT NULL,                       -- 0: its definition was lost; only events or losses name it
  recorded_id INTEGER NOT NULL,                   -- id in the capture file
  slices INTEGER NOT NULL,                        -- count of its slices
  instants INTEGER NOT NULL,                      -- count of its instants
  incomplete INTEGER NOT NULL,                    -- count of its slices without an end
  sampled_ns INTEGER NOT NULL,                    -- time that samples of the thread cover, ns; 0: not sampled
  run_ns INTEGER NOT NULL,                        -- part of it in which the thread ran on a processor, ns
  wait_ns INTEGER NOT NULL                        -- part of it in which it was runnable and did not run, ns; it slept in the rest
);

-- Frames --------------------------------------------------------------------------------------------

-- Series of frame marks.
CREATE TABLE domain (
  domain_id INTEGER PRIMARY KEY,                  -- id in this database
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  name TEXT NOT NULL,                             -- name, such as simulation or render
  recorded_id INTEGER NOT NULL,                   -- id in the capture file
  frames INTEGER NOT NULL,                        -- count of rows in frame
  complete_frames INTEGER NOT NULL,               -- count of those that are complete
  marks_missing INTEGER NOT NULL,                 -- count of numbers between first and last without a mark
  marking_track_id INTEGER REFERENCES track       -- where most of its marks were set; NULL: not known
);

-- One row for each frame mark: frame N lies between the marks N and N + 1.
CREATE TABLE frame (
  frame_id INTEGER PRIMARY KEY,                   -- id in this database
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  domain_id INTEGER NOT NULL REFERENCES domain,   -- the domain
  domain TEXT NOT NULL,                           -- name of the domain
  number INTEGER NOT NULL,                        -- number of the frame in its domain, from the session's start
  begin_ns INTEGER NOT NULL,                      -- time of the mark, ns
  duration_ns INTEGER,                            -- time to the next mark, ns; NULL: not complete
  complete INTEGER NOT NULL,                      -- 1: the mark after it is there, and all of it in the capture
  track_id INTEGER REFERENCES track               -- where the mark was set; NULL: not known
);

-- What happened -------------------------------------------------------------------------------------

-- Caller context: chains of sites from a track's root, merged over tracks.
CREATE TABLE path (
  path_id INTEGER PRIMARY KEY,                    -- id in this database
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  parent_path_id INTEGER REFERENCES path,         -- the caller's path; NULL: top level
  site_id INTEGER NOT NULL REFERENCES site,       -- the innermost site
  depth INTEGER NOT NULL,                         -- count of sites above it; 0: top level
  outermost INTEGER NOT NULL                      -- 1: its site is not among the callers
);

-- One row for each run of a scope.
CREATE TABLE slice (
  slice_id INTEGER PRIMARY KEY,                   -- id in this database; rises with begin_ns within a track
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  track_id INTEGER NOT NULL REFERENCES track,     -- where it ran
  site_id INTEGER NOT NULL REFERENCES site,       -- what ran
  path_id INTEGER NOT NULL REFERENCES path,       -- called from where
  parent_id INTEGER REFERENCES slice,             -- the slice that it is directly inside of; NULL: top level
  frame_id INTEGER REFERENCES frame,              -- frame of the default domain in which it begins; NULL: none
  depth INTEGER NOT NULL,                         -- count of slices around it; 0: top level
  begin_ns INTEGER NOT NULL,                      -- when it began, ns
  duration_ns INTEGER,                            -- inclusive time, ns; NULL: no end was recorded
  known_ns INTEGER NOT NULL,                      -- the duration, or its known lower bound, ns
  exclusive_ns INTEGER,                           -- duration minus the slices inside it, ns; NULL: not known
  outermost INTEGER NOT NULL,                     -- 1: not inside another slice of its site
  incomplete INTEGER NOT NULL,                    -- 1: no end was recorded
  children_lost INTEGER NOT NULL                  -- 1: overlaps a loss of its track, exclusive_ns is NULL
);

-- One row for each mark that the program set.
CREATE TABLE instant (
  instant_id INTEGER PRIMARY KEY,                 -- id in this database
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  track_id INTEGER NOT NULL REFERENCES track,     -- where it was set
  site_id INTEGER NOT NULL REFERENCES site,       -- which mark: the site's name
  slice_id INTEGER REFERENCES slice,              -- the innermost slice around it; NULL: none
  frame_id INTEGER REFERENCES frame,              -- frame of the default domain; NULL: none
  time_ns INTEGER NOT NULL                        -- when, ns
);

-- Counters (they accumulate) and gauges (they are set), each place in source one.
CREATE TABLE counter (
  counter_id INTEGER PRIMARY KEY,                 -- id in this database
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  site_id INTEGER NOT NULL REFERENCES site,       -- the place in source
  name TEXT NOT NULL,                             -- name of the counter
  kind TEXT NOT NULL                              -- count or gauge
);

-- Values of counters and gauges. What a counter was added within one frame is told of that frame; increments
-- of 0 are left out.
CREATE TABLE counter_sample (
  sample_id INTEGER PRIMARY KEY,                  -- id in this database
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  counter_id INTEGER NOT NULL REFERENCES counter, -- the counter
  track_id INTEGER NOT NULL REFERENCES track,     -- where it was emitted
  frame_id INTEGER REFERENCES frame,              -- frame of the default domain; NULL: none, or not known after lost events or at a part's begin
  time_ns INTEGER NOT NULL,                       -- gauge: when, ns; count: added from then on, before the next frame mark, ns
  value NUMERIC,                                  -- count: the increment; gauge: the value; NULL: not finite
  time_known INTEGER NOT NULL                     -- 0: a count of which it is not known since when it was added; time_ns is when it was told
);

-- Links between slices, one row for each flow-in.
CREATE TABLE flow (
  flow_in_id INTEGER PRIMARY KEY,                 -- id in this database
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  flow TEXT NOT NULL,                             -- the flow's id, 16 hex digits
  out_site_id INTEGER REFERENCES site,            -- where it left; NULL: the flow-out is not in the capture
  out_track_id INTEGER REFERENCES track,          -- track of the flow-out; NULL: not in the capture
  out_slice_id INTEGER REFERENCES slice,          -- innermost slice around the flow-out; NULL: none
  out_ns INTEGER,                                 -- when it left, ns; NULL: not in the capture
  in_site_id INTEGER REFERENCES site,             -- where it arrived; NULL: not known
  in_track_id INTEGER NOT NULL REFERENCES track,  -- track of the flow-in
  in_slice_id INTEGER REFERENCES slice,           -- innermost slice around the flow-in; NULL: none
  in_ns INTEGER NOT NULL,                         -- when it arrived, ns
  clamped INTEGER NOT NULL,                       -- 1: the clocks said that it arrived before it left
  in_after_slice_id INTEGER REFERENCES slice      -- slice of any track that began last before the flow-in was recorded; NULL: none
);

-- Where flows left, also those to which no flow-in leads. Ends of flows were recorded in the order of flow_out_id
-- and flow_in_id, which no two of them share.
CREATE TABLE flow_out (
  flow_out_id INTEGER PRIMARY KEY,                -- id in this database
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  flow TEXT NOT NULL,                             -- the flow's id, 16 hex digits
  site_id INTEGER REFERENCES site,                -- where it left; NULL: not known
  track_id INTEGER NOT NULL REFERENCES track,     -- its track
  slice_id INTEGER REFERENCES slice,              -- innermost slice around it; NULL: none
  time_ns INTEGER NOT NULL,                       -- when it left, ns
  after_slice_id INTEGER REFERENCES slice         -- slice of any track that began last before it was recorded; NULL: none
);

-- Samples of who ran: how a thread, or the machine, spent the time between two looks at it.
CREATE TABLE sched_sample (
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  track_id INTEGER REFERENCES track,              -- the thread; NULL: the machine
  begin_ns INTEGER NOT NULL,                      -- from when, ns
  end_ns INTEGER NOT NULL,                        -- until when, ns
  processors INTEGER NOT NULL,                    -- 1; of the machine: count of its processors
  run_ns INTEGER NOT NULL,                        -- how long it ran; of the machine: all processors together, ns
  wait_ns INTEGER NOT NULL                        -- how long it was runnable and did not run; of the machine: what its host took away, ns
);

-- Queues of GPUs, each of which is a track.
CREATE TABLE gpu_queue (
  gpu_queue_id INTEGER PRIMARY KEY,               -- id in this database
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  track_id INTEGER NOT NULL REFERENCES track,     -- the queue's track
  backend TEXT NOT NULL,                          -- the graphics API
  device TEXT NOT NULL,                           -- name of the GPU
  name TEXT NOT NULL,                             -- name of the queue
  generation INTEGER NOT NULL,                    -- count of device sessions before this one
  valid_bits INTEGER NOT NULL,                    -- count of valid bits of its timestamps; 0: it has none
  period_fs INTEGER NOT NULL,                     -- of one step of them, fs; from 2^63 on as two's complement
  pass_reason TEXT NOT NULL,                      -- why there is no timing of passes; empty when there is
  calibration_reason TEXT NOT NULL                -- why its times are not tied to those of threads; empty when they are
);

-- What became of all that there was to measure on a queue, over the whole recording.
CREATE TABLE gpu_count (
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  track_id INTEGER NOT NULL REFERENCES track,     -- the queue's track
  subject TEXT NOT NULL,                          -- frame, pass or calibration
  outcome TEXT NOT NULL,                          -- eligible (all that there was), valid, or why there is no duration
  count INTEGER NOT NULL                          -- count of them; from 2^63 on as two's complement
);

-- GPU time of whole frames, one row for each that was measured; what was not measured is in gpu_count.
CREATE TABLE gpu_frame (
  gpu_frame_id INTEGER PRIMARY KEY,               -- id in this database; of a queue it rises as results came
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  track_id INTEGER NOT NULL REFERENCES track,     -- the queue's track
  generation INTEGER,                             -- count of device sessions before the queue's; NULL: the queue is not defined
  number INTEGER NOT NULL,                        -- number of the submitted frame, counted on the queue; from 2^63 on as two's complement
  frame_id INTEGER REFERENCES frame,              -- frame of the default domain in which it was submitted; NULL: none
  method TEXT NOT NULL,                           -- timestamps (written among its commands) or command-buffer (the system's, of a whole one)
  validity TEXT NOT NULL,                         -- valid, or the outcome for which there is no duration
  duration_ns INTEGER,                            -- GPU time, ns; 0 is a measured 0; NULL: not valid
  begin_ns INTEGER,                               -- when it began, ns; NULL: its clock is not calibrated
  uncertainty_ns INTEGER,                         -- how far off begin_ns may be, ns; NULL likewise
  submitted_ns INTEGER NOT NULL,                  -- when the program submitted it, ns
  collected_ns INTEGER NOT NULL                   -- when the program took the result, or gave up, ns
);

-- GPU time of render passes, dispatches and copies, one row for each that was measured. Passes of a queue may
-- overlap: they are no slices, and their sum is not the frame.
CREATE TABLE gpu_pass (
  gpu_pass_id INTEGER PRIMARY KEY,                -- id in this database; of a queue it rises as results came
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  gpu_frame_id INTEGER REFERENCES gpu_frame,      -- its GPU frame; NULL: that was not measured
  frame_number INTEGER NOT NULL,                  -- number of the submitted frame; from 2^63 on as two's complement
  track_id INTEGER NOT NULL REFERENCES track,     -- the queue's track
  generation INTEGER,                             -- count of device sessions before the queue's; NULL: the queue is not defined
  frame_id INTEGER REFERENCES frame,              -- frame of the default domain in which it was submitted; NULL: none
  site_id INTEGER NOT NULL REFERENCES site,       -- the place in source
  name TEXT NOT NULL,                             -- name of the pass
  ordinal INTEGER NOT NULL,                       -- count of passes of this site before it in the frame
  operation TEXT NOT NULL,                        -- render, compute, transfer, or mixed
  logical_passes INTEGER NOT NULL,                -- count of the program's passes that share this duration
  validity TEXT NOT NULL,                         -- valid, or the outcome for which there is no duration
  duration_ns INTEGER,                            -- GPU time, ns; 0 is a measured 0; NULL: not valid
  begin_ns INTEGER,                               -- when it began, ns; NULL: its clock is not calibrated
  uncertainty_ns INTEGER,                         -- how far off begin_ns may be, ns; NULL likewise
  submitted_ns INTEGER NOT NULL,                  -- when the program submitted it, ns
  collected_ns INTEGER NOT NULL                   -- when the program took the result, or gave up, ns
);

-- Readings of a GPU's clock and of the host's around a frame, which place the frame's times when they are mapped.
CREATE TABLE gpu_calibration (
  gpu_calibration_id INTEGER PRIMARY KEY,         -- id in this database
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  track_id INTEGER NOT NULL REFERENCES track,     -- the queue's track
  generation INTEGER,                             -- count of device sessions before the queue's; NULL: the queue is not defined
  frame_number INTEGER NOT NULL,                  -- number of the submitted frame; from 2^63 on as two's complement
  mapping TEXT NOT NULL,                          -- mapped, or why they do not tie its times to the host's
  uncertainty_ns INTEGER NOT NULL,                -- of times mapped by them; otherwise the larger deviation of the two, ns
  begin_tick INTEGER NOT NULL,                    -- the device's clock before the frame, ticks; from 2^63 on as two's complement
  end_tick INTEGER NOT NULL,                      -- the same behind it, ticks
  begin_ns INTEGER NOT NULL,                      -- when begin_tick was read, ns
  end_ns INTEGER NOT NULL                         -- when end_tick was read, ns
);

-- What is missing or odd ----------------------------------------------------------------------------

-- What was emitted and is not in the capture.
CREATE TABLE loss (
  loss_id INTEGER PRIMARY KEY,                    -- id in this database
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  track_id INTEGER REFERENCES track,              -- where it was emitted; NULL: not known
  cause TEXT NOT NULL,                            -- such as buffers-full, or damage of the file
  begin_ns INTEGER NOT NULL,                      -- time of the first lost event, ns
  end_ns INTEGER NOT NULL,                        -- time of the last lost event, ns
  scopes INTEGER NOT NULL,                        -- count of lost slices
  instants INTEGER NOT NULL,                      -- count of lost instants
  frames INTEGER NOT NULL,                        -- count of lost frame marks
  flows INTEGER NOT NULL,                         -- count of lost ends of flows, outs and ins
  gauges INTEGER NOT NULL,                        -- count of lost values of gauges
  events INTEGER NOT NULL                         -- count of lost events of unknown kinds
);

-- Oddities that the recorder saw.
CREATE TABLE diagnostic (
  diagnostic_id INTEGER PRIMARY KEY,              -- id in this database
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  code TEXT NOT NULL,                             -- kind of oddity, such as wrong-thread
  track_id INTEGER REFERENCES track,              -- where; NULL: not on a track
  time_ns INTEGER NOT NULL,                       -- when it was first seen, ns
  count INTEGER NOT NULL,                         -- count of times it was seen
  text TEXT NOT NULL                              -- details for people
);

-- Bytes of the file that could not be used.
CREATE TABLE damage (
  damage_id INTEGER PRIMARY KEY,                  -- id in this database
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  offset_bytes INTEGER NOT NULL,                  -- where it begins in the file, bytes
  size_bytes INTEGER NOT NULL,                    -- how much, bytes; 0: blocks are missing here
  reason TEXT NOT NULL                            -- a damage reason of the format, or gap
);

-- Statistics, filled at import ----------------------------------------------------------------------

-- The windows that statistics are of, each in two parts. "frames": what begins in complete frames that
-- lie in the window as a whole, without the frames that its track lost; "outside": all else that begins
-- in it. The window "capture" is all of it; others were named at import.
CREATE TABLE stat_window (
  window_id INTEGER PRIMARY KEY,                  -- id in this database
  capture_id INTEGER NOT NULL REFERENCES capture, -- the capture
  name TEXT NOT NULL,                             -- name of the window: both parts have the same one
  part TEXT NOT NULL,                             -- frames or outside
  domain_id INTEGER REFERENCES domain,            -- the frame domain; NULL: no frames
  domain TEXT,                                    -- name of the domain
  begin_ns INTEGER NOT NULL,                      -- from when, ns
  end_ns INTEGER NOT NULL,                        -- until when, ns; there may be gaps between
  frames INTEGER NOT NULL                         -- count of complete frames in it; 0 outside
);

-- The parts of time that a window is.
CREATE TABLE window_span (
  capture_id INTEGER NOT NULL REFERENCES capture,    -- the capture
  window_id INTEGER NOT NULL REFERENCES stat_window, -- the window, by its part frames
  begin_ns INTEGER NOT NULL,                         -- from when, ns; of the window "capture" before all times
  end_ns INTEGER NOT NULL                            -- until before when, ns; of the window "capture" behind all times
);

-- What the frames of a window are for a track, and what of them no slice covers.
CREATE TABLE track_stats (
  capture_id INTEGER NOT NULL REFERENCES capture,    -- the capture
  window_id INTEGER NOT NULL REFERENCES stat_window, -- the window, by its part frames
  track_id INTEGER NOT NULL REFERENCES track,        -- the track
  slices INTEGER NOT NULL,                           -- count of its slices that begin in the window, in both parts
  incomplete INTEGER NOT NULL,                       -- count of those without an end
  frames INTEGER NOT NULL,                           -- count of complete frames that no loss of this track overlaps
  frames_lost INTEGER NOT NULL,                      -- count of frames left out because one does
  frame_ns INTEGER NOT NULL,                         -- time of those frames, as far as the track lived in them, ns
  covered_ns INTEGER NOT NULL                        -- part of frame_ns inside top-level slices, ns
);

-- Sums over the slices of a site. Tracks that lost something of their own have rows of their own,
-- since fewer frames count for them; what was lost on no known track counts for all. So has the track
-- that marks the default domain (domain.marking_track_id): what it does explains how long frames are.
CREATE TABLE site_stats (
  capture_id INTEGER NOT NULL REFERENCES capture,    -- the capture
  window_id INTEGER NOT NULL REFERENCES stat_window, -- the window
  site_id INTEGER NOT NULL REFERENCES site,          -- the site
  track_id INTEGER REFERENCES track,                 -- the track; NULL: all tracks without a row of their own
  frames INTEGER NOT NULL,                           -- count of frames: the denominator of this row
  calls INTEGER NOT NULL,                            -- count of slices that begin in the window
  outermost_calls INTEGER NOT NULL,                  -- count of complete ones not inside another of the site
  recursive_calls INTEGER NOT NULL,                  -- count of calls inside another of the site
  exclusive_calls INTEGER NOT NULL,                  -- count of calls whose exclusive time is known
  incomplete INTEGER NOT NULL,                       -- count of calls without an end
  children_lost INTEGER NOT NULL,                    -- count of calls that overlap a loss of their track
  inclusive_ns INTEGER NOT NULL,                     -- time of the outermost_calls, waiting included, ns
  exclusive_ns INTEGER NOT NULL,                     -- own time of the exclusive_calls, waiting included, ns
  nested_calls INTEGER NOT NULL                      -- count of slices directly inside those of the site
);

-- The same sums for each path.
CREATE TABLE path_stats (
  capture_id INTEGER NOT NULL REFERENCES capture,    -- the capture
  window_id INTEGER NOT NULL REFERENCES stat_window, -- the window
  path_id INTEGER NOT NULL REFERENCES path,          -- the path
  track_id INTEGER REFERENCES track,                 -- the track; NULL: all tracks without a row of their own
  frames INTEGER NOT NULL,                           -- count of frames: the denominator of this row
  calls INTEGER NOT NULL,                            -- count of slices that begin in the window
  outermost_calls INTEGER NOT NULL,                  -- count of complete ones that inclusive_ns is of
  recursive_calls INTEGER NOT NULL,                  -- count of calls inside another of the path's site
  exclusive_calls INTEGER NOT NULL,                  -- count of calls whose exclusive time is known
  incomplete INTEGER NOT NULL,                       -- count of calls without an end
  children_lost INTEGER NOT NULL,                    -- count of calls that overlap a loss of their track
  inclusive_ns INTEGER NOT NULL,                     -- time of the outermost_calls, waiting included, ns
  exclusive_ns INTEGER NOT NULL                      -- own time of the exclusive_calls, waiting included, ns
);

-- What counters and gauges were in a window, over all tracks; a row for each window.
CREATE TABLE counter_stats (
  capture_id INTEGER NOT NULL REFERENCES capture,    -- the capture
  window_id INTEGER NOT NULL REFERENCES stat_window, -- the window, by its part frames; the sums are of both parts
  counter_id INTEGER NOT NULL REFERENCES counter,    -- the counter
  samples INTEGER NOT NULL,                          -- count of increments other than 0, or of values of a gauge
  not_finite INTEGER NOT NULL,                       -- count of values of a gauge that are infinite or not a number, and left out
  total INTEGER,                                     -- count: sum of the increments; NULL: a gauge
  outside INTEGER,                                   -- count: part of the sum that is in none of the window's complete frames; NULL: a gauge
  sum REAL,                                          -- gauge: sum of the values; NULL: a count, no value, or too large
  min REAL,                                          -- gauge: least number that was set; NULL: a count, or no value
  max REAL,                                          -- gauge: greatest number that was set; NULL likewise
  last REAL                                          -- gauge: number that was set last; NULL likewise
);

-- What GPU work adds up to that was submitted in the complete frames of a window, or in all of the window when it
-- has none: whole frames of a queue, and passes of a site that are the same operation.
CREATE TABLE gpu_stats (
  capture_id INTEGER NOT NULL REFERENCES capture,    -- the capture
  window_id INTEGER NOT NULL REFERENCES stat_window, -- the window, by its part frames
  track_id INTEGER NOT NULL REFERENCES track,        -- the queue's track
  site_id INTEGER REFERENCES site,                   -- the passes' place in source; NULL: whole frames
  operation TEXT,                                    -- render, compute, transfer, or mixed; NULL: whole frames
  frames INTEGER NOT NULL,                           -- count of submitted frames with a valid duration, or of passes: with a valid pass of any site of the queue
  valid INTEGER NOT NULL,                            -- count of frames or passes with a valid duration
  not_valid INTEGER NOT NULL,                        -- count of those without
  outside INTEGER NOT NULL,                          -- count of either that was submitted in the window and in none of its complete frames
  logical_passes INTEGER NOT NULL,                   -- count of the program's passes that share the durations of valid ones; 0: whole frames
  sum_ns INTEGER NOT NULL,                           -- sum of the valid durations, ns
  min_ns INTEGER,                                    -- shortest of them, ns; NULL: none
  max_ns INTEGER                                     -- longest of them, ns; NULL: none
);

-- Durations of the complete frames of a domain. Percentiles are nearest-rank: measured values, each
-- with the number of a frame that has it (the first one).
CREATE TABLE frame_stats (
  capture_id INTEGER NOT NULL REFERENCES capture,    -- the capture
  domain_id INTEGER NOT NULL REFERENCES domain,      -- the domain
  domain TEXT NOT NULL,                              -- name of the domain
  n INTEGER NOT NULL,                                -- count of complete frames
  total_ns INTEGER NOT NULL,                         -- sum of their durations, ns
  min_ns INTEGER,                                    -- shortest duration, ns; NULL: n is 0
  min_frame INTEGER,                                 -- number of that frame
  p50_ns INTEGER,                                    -- 50th percentile (median), ns
  p50_frame INTEGER,                                 -- number of that frame
  p90_ns INTEGER,                                    -- 90th percentile, ns
  p90_frame INTEGER,                                 -- number of that frame
  p95_ns INTEGER,                                    -- 95th percentile, ns
  p95_frame INTEGER,                                 -- number of that frame
  p99_ns INTEGER,                                    -- 99th percentile, ns
  p99_frame INTEGER,                                 -- number of that frame
  p999_ns INTEGER,                                   -- 99.9th percentile, ns
  p999_frame INTEGER,                                -- number of that frame
  max_ns INTEGER,                                    -- longest duration, ns
  max_frame INTEGER                                  -- number of that frame
);

-- How often a site runs in the frames of the window "capture": for all tracks, but those that lost something of their
-- own, together.
CREATE TABLE calls_per_frame (
  capture_id INTEGER NOT NULL REFERENCES capture,    -- the capture
  window_id INTEGER NOT NULL REFERENCES stat_window, -- the window "capture", its frames
  site_id INTEGER NOT NULL REFERENCES site,          -- the site
  track_id INTEGER REFERENCES track,                 -- the track; NULL: all tracks that lost nothing of their own
  calls INTEGER NOT NULL,                            -- count of slices that begin in the window
  frames INTEGER NOT NULL,                           -- count of frames: the denominator of this row
  calls_per_frame REAL,                              -- calls / frames: calls per frame; NULL: frames is 0
  frames_with_calls INTEGER,                         -- count of those frames in which the site begins at least once; NULL: not known, as is possible with stats_only
  calls_per_frame_with REAL                          -- calls / frames_with_calls: calls per frame that has it; NULL: that is 0 or not known
);

-- Views ---------------------------------------------------------------------------------------------

-- What each counter was added in each frame of the default domain, over all tracks; a frame without a row: 0.
CREATE VIEW counter_frame (
  capture_id, -- the capture
  counter_id, -- the counter
  name,       -- name of the counter
  frame_id,   -- the frame; NULL: before the first mark, or not known after lost events or at a part's begin
  value       -- sum of the increments
) AS SELECT counter.capture_id, counter_id, name, frame_id, sum(value)
  FROM counter_sample JOIN counter USING (counter_id) WHERE kind = 'count'
  GROUP BY counter.capture_id, counter_id, frame_id;

-- From flow-out to flow-in: the time that work was queued.
CREATE VIEW flow_latency (
  capture_id,   -- the capture
  flow_in_id,   -- the row of flow
  flow,         -- the flow's id, 16 hex digits
  out_site_id,  -- where it left
  in_site_id,   -- where it arrived
  out_track_id, -- track of the flow-out
  in_track_id,  -- track of the flow-in
  out_ns,       -- when it left, ns
  latency_ns,   -- from leaving to arriving, ns
  clamped       -- 1: the clocks said that it arrived before it left, and the latency is 0
) AS SELECT capture_id, flow_in_id, flow, out_site_id, in_site_id, out_track_id, in_track_id, out_ns,
    max(in_ns - out_ns, 0), clamped
  FROM flow WHERE out_ns IS NOT NULL;

-- The part of frames, on each track of a thread or fiber, that no slice covers; what was in it is not known.
CREATE VIEW unlogged (
  capture_id,  -- the capture
  window,      -- name of the window
  track_id,    -- the track
  track,       -- name of the track
  frames,      -- count of complete frames in the window that no loss of the track overlaps
  frames_lost, -- count of frames left out because one does
  frame_ns,    -- time of those frames, as far as the track lived in them, ns
  covered_ns,  -- part of it inside top-level slices, ns
  unlogged_ns  -- the rest, ns
) AS SELECT stats.capture_id, stat_window.name, track_id, track.name, stats.frames,
    stats.frames_lost, frame_ns, covered_ns, frame_ns - covered_ns
  FROM track_stats AS stats JOIN stat_window USING (window_id) JOIN track USING (track_id)
  WHERE track.kind <> 'gpu-queue' OR stats.slices <> 0;

-- The frame of every domain in which a slice begins.
CREATE VIEW slice_frame (
  capture_id, -- the capture
  slice_id,   -- the slice
  domain_id,  -- the domain
  domain,     -- name of the domain
  frame_id    -- frame in which the slice begins; NULL: before the domain's first mark
) AS SELECT slice.capture_id, slice.slice_id, domain.domain_id, domain.name,
    (SELECT frame.frame_id FROM frame
     WHERE frame.domain_id = domain.domain_id AND frame.begin_ns <= slice.begin_ns
     ORDER BY frame.begin_ns DESC, frame.frame_id DESC LIMIT 1)
  FROM slice JOIN domain ON domain.capture_id = slice.capture_id;

-- The names along a path, outermost first.
CREATE VIEW path_names (
  capture_id, -- the capture
  path_id,    -- the path
  depth,      -- count of sites above the innermost one
  names       -- the sites' names, joined by " > "
) AS WITH RECURSIVE chain(capture_id, path_id, depth, names) AS (
    SELECT path.capture_id, path.path_id, path.depth, site.name
    FROM path JOIN site USING (site_id) WHERE path.parent_path_id IS NULL
    UNION ALL
    SELECT path.capture_id, path.path_id, path.depth, chain.names || ' > ' || site.name
    FROM chain JOIN path ON path.parent_path_id = chain.path_id JOIN site USING (site_id))
  SELECT capture_id, path_id, depth, names FROM chain;

-- Indexes: made when all rows are in. A slice's frame is what most questions start from; an index by
-- site or by time would cost more at import than the scans that it saves (docs/sql.md).

CREATE INDEX frame_by_time ON frame (domain_id, begin_ns);
CREATE INDEX path_by_parent ON path (parent_path_id);
CREATE INDEX slice_by_frame ON slice (frame_id);

-- What SQLite shall take for granted when it plans a query, whatever is in the tables: rows, and rows for each
-- value of the index. Without it, a question about a frame reads all slices.

ANALYZE sqlite_schema;
INSERT INTO sqlite_stat1 VALUES
  ('frame', 'frame_by_time', '1000 500 1'),
  ('path', 'path_by_parent', '1000 4'),
  ('slice', 'slice_by_frame', '1000000 1000');
