import { type FieldFacts, type TypeFacts, typeFacts } from '../../types.ts';
import type { ValueFacts } from '../../values.ts';

/** One field of a message. An embedded struct has `inner`, whose fields are those of the outer type starting at index `base`. */
export type PlanField =
  | { readonly number: number; readonly field: FieldFacts; readonly value: ValueFacts; readonly inner: undefined }
  | { readonly number: number; readonly field: undefined; readonly inner: MessagePlan; readonly base: number };

/** A message's fields, sorted by number and indexed by number. */
export interface MessagePlan {
  readonly type: TypeFacts;
  readonly fields: readonly PlanField[];
  readonly byNumber: readonly (PlanField | undefined)[];
}

const plans = new Map<string, MessagePlan>();

/** The plan of a message type, such as `core.v1.PodSpec`. It is built once and shared. */
export function messagePlan(name: string): MessagePlan {
  let plan = plans.get(name);
  if (plan === undefined) {
    plan = build(typeFacts(name));
    plans.set(name, plan);
  }
  return plan;
}

function build(type: TypeFacts): MessagePlan {
  const fields: PlanField[] = [];
  let base = type.hasTypeMeta ? 2 : 0;
  for (const { number, field, embedded } of type.message) {
    if (embedded !== undefined) {
      const inner = messagePlan(embedded);
      fields.push({ number, field: undefined, inner, base });
      base += inner.type.fields.length;
    } else if (field !== undefined) {
      const own = type.fields[base++] as FieldFacts;
      if (number > 0) fields.push({ number, field: own, value: own.value, inner: undefined });
    }
  }
  const byNumber: (PlanField | undefined)[] = [];
  for (const field of fields) byNumber[field.number] = field;
  return { type, fields: fields.sort((a, b) => a.number - b.number), byNumber };
}
