import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Value } from '#lib/machinery/metrics/value.ts';
import type { Level } from './event.ts';

/** The metrics of the audit log in upstream's dashboards, under upstream's names. */
export class AuditMetrics implements Collector {
  readonly #events = new Value({
    type: 'counter',
    name: 'apiserver_audit_event_total',
    help: 'Audit events that sinks were given.',
  });
  readonly #errors = new Value({
    type: 'counter',
    name: 'apiserver_audit_error_total',
    help: 'Audit events that a sink lost.',
    labels: ['plugin'],
  });
  readonly #levels = new Value({
    type: 'counter',
    name: 'apiserver_audit_level_total',
    help: 'Requests by the level that the policy gave them.',
    labels: ['level'],
  });
  readonly #rejected = new Value({
    type: 'counter',
    name: 'apiserver_audit_requests_rejected_total',
    help: 'Requests that went no further because their event was lost.',
  });

  judged(level: Level): void {
    this.#levels.add(1, [level]);
  }

  given(): void {
    this.#events.add(1);
  }

  lost(plugin: string, events: number): void {
    this.#errors.add(events, [plugin]);
  }

  rejected(): void {
    this.#rejected.add(1);
  }

  collect(): readonly Family[] {
    return [this.#events, this.#errors, this.#levels, this.#rejected].flatMap((value) => value.collect());
  }
}
