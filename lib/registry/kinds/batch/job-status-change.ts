import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { semanticEqual } from '../shared/semantic.ts';
import { isFinished, isTrue } from './job-conditions.ts';

/** A job before and after a write of its status, and what the write changes. */
export interface StatusChange {
  readonly job: JsonObject;
  readonly old: JsonObject;
  readonly spec: JsonObject;
  readonly status: JsonObject;
  readonly oldStatus: JsonObject;
  /** Whether any of these fields of the status changes. */
  readonly changes: (...fields: string[]) => boolean;
  /** Whether any of these conditions comes or goes. */
  readonly flips: (...conditions: string[]) => boolean;
  readonly finishes: boolean;
}

export function statusChange(job: JsonObject, old: JsonObject): StatusChange {
  const status = objectAt(job, 'status') ?? {};
  const oldStatus = objectAt(old, 'status') ?? {};
  return {
    job,
    old,
    spec: objectAt(job, 'spec') ?? {},
    status,
    oldStatus,
    changes: (...fields) => fields.some((field) => !semanticEqual(ownField(status, field), ownField(oldStatus, field))),
    flips: (...conditions) => conditions.some((type) => isTrue(job, type) !== isTrue(old, type)),
    finishes: isFinished(job) !== isFinished(old),
  };
}
