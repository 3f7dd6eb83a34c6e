import type { Family, Sample } from '#lib/machinery/metrics/family.ts';
import { Histogram } from '#lib/machinery/metrics/histogram.ts';
import type { FlowCounts } from './fairqueuing/flow-counts.ts';
import type { LevelState } from './level-state.ts';

const PREFIX = 'apiserver_flowcontrol_';
const FLOW = ['priority_level', 'flow_schema'];
const SECONDS = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

/** The state of one level at the time of a scrape. */
const OF_LEVEL: readonly (readonly [name: string, help: string, value: (state: LevelState) => number])[] = [
  ['nominal_limit_seats', 'Seats that a level has by its shares.', ({ limits }) => limits.nominal],
  ['lower_limit_seats', 'Seats that a level keeps, whoever borrows.', ({ limits }) => limits.lower],
  ['upper_limit_seats', 'Seats that a level may have with what it borrows.', ({ limits }) => limits.upper],
  ['current_limit_seats', 'Seats that a level has now.', ({ current }) => current],
  ['demand_seats_high_watermark', 'Most seats wanted in the last period.', ({ demand }) => demand.demand.highWatermark],
  ['demand_seats_average', 'Seats wanted in the last period.', ({ demand }) => demand.demand.average],
  ['demand_seats_stdev', 'Deviation of the seats wanted in the last period.', ({ demand }) => demand.demand.deviation],
  ['demand_seats_smoothed', 'Seats wanted, as levels are divided by.', ({ demand }) => demand.demand.smoothed],
];

const OF_FLOW: readonly (readonly [name: string, help: string, value: (counts: FlowCounts) => number])[] = [
  ['current_inqueue_requests', 'Requests that wait for seats.', ({ waiting }) => waiting],
  ['current_inqueue_seats', 'Seats that are waited for.', ({ waitingSeats }) => waitingSeats],
  ['current_executing_requests', 'Requests that hold seats.', ({ executing }) => executing],
  ['current_executing_seats', 'Seats that are held.', ({ executingSeats }) => executingSeats],
];

/** Records the observations of a flow: seconds waited, seconds executed, and estimated seats. */
export interface FlowObserver {
  letIn(seconds: number): void;
  refused(seconds: number): void;
  regular(seconds: number): void;
  watch(seconds: number): void;
  seats(seats: number): void;
}

/** The API Priority and Fairness metrics that upstream's dashboards use, with upstream's names. */
export class FlowMetrics {
  readonly #waits = new Histogram({
    name: `${PREFIX}request_wait_duration_seconds`,
    help: 'Seconds that requests waited for seats.',
    labels: [...FLOW, 'execute'],
    buckets: SECONDS,
  });
  readonly #executions = new Histogram({
    name: `${PREFIX}request_execution_seconds`,
    help: 'Seconds that requests held seats; watches only until they have begun.',
    labels: [...FLOW, 'type'],
    buckets: SECONDS,
  });
  readonly #seats = new Histogram({
    name: `${PREFIX}work_estimated_seats`,
    help: 'Seats that requests were thought to need.',
    labels: FLOW,
    buckets: [1, 2, 4, 8, 16, 32, 64, 100],
  });

  /** The observer of one flow. A series exists after its first observation. */
  flow(level: string, schema: string): FlowObserver {
    const lazy = (histogram: Histogram, label: readonly string[] = []) => {
      let observe: ((observed: number) => void) | undefined;
      return (observed: number): void => {
        observe ??= histogram.observer([level, schema, ...label]);
        observe(observed);
      };
    };
    return {
      letIn: lazy(this.#waits, ['true']),
      refused: lazy(this.#waits, ['false']),
      regular: lazy(this.#executions, ['regular']),
      watch: lazy(this.#executions, ['watch']),
      seats: lazy(this.#seats),
    };
  }

  collect(states: readonly LevelState[]): readonly Family[] {
    const levels = OF_LEVEL.map(([name, help, value]) =>
      gauge(
        name,
        help,
        states.map((state) => ({ labels: { priority_level: state.level.name }, value: value(state) })),
      ),
    );
    const flows = OF_FLOW.map(([name, help, value]) => gauge(name, help, perFlow(states, value)));
    const histograms = [this.#waits, this.#executions, this.#seats].flatMap((one) => one.collect());
    return [...levels, ...flows, ...counters(states), ...histograms];
  }
}

function gauge(name: string, help: string, samples: readonly Sample[]): Family {
  return { name: `${PREFIX}${name}`, help, type: 'gauge', samples };
}

function perFlow(states: readonly LevelState[], value: (counts: FlowCounts) => number): Sample[] {
  return states.flatMap(({ level, counts }) =>
    Array.from(counts, ([schema, one]) => ({ labels: labels(level.name, schema), value: value(one) })),
  );
}

const labels = (level: string, schema: string) => ({ priority_level: level, flow_schema: schema });

function counters(states: readonly LevelState[]): Family[] {
  const rejected = states.flatMap(({ level, counts }) =>
    Array.from(counts).flatMap(([schema, one]) =>
      Object.entries(one.rejected)
        .filter(([, value]) => value > 0)
        .map(([reason, value]) => ({ labels: { ...labels(level.name, schema), reason }, value })),
    ),
  );
  const counter = (name: string, help: string, samples: readonly Sample[]): Family => ({
    name: `${PREFIX}${name}`,
    help,
    type: 'counter',
    samples,
  });
  return [
    counter(
      'dispatched_requests_total',
      'Requests that got their seats.',
      perFlow(states, ({ dispatched }) => dispatched),
    ),
    counter('rejected_requests_total', 'Requests that were refused.', rejected),
  ];
}
