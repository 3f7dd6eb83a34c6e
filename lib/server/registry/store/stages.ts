import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { afterTurn } from '#lib/machinery/steps.ts';
import type { Attributes } from '../admission.ts';
import type { GuardedWrite } from '../guard.ts';
import type { ObjectScheme, ResourceDefinition } from '../resource.ts';
import type { OperationContext } from '../rest/context.ts';
import type { WriteResult } from './result.ts';

/** A view of an object that admission sees instead of the object: its Scale. */
export interface AdmittedView {
  readonly scheme: ObjectScheme;
  show(hub: JsonObject): JsonObject;
  /** Applies the changes that admission made to the view to the hub object. */
  put(hub: JsonObject, admitted: JsonObject): JsonObject;
}

/** An object that passes through the stages of a write. */
export interface Draft {
  readonly definition: ResourceDefinition;
  readonly context: OperationContext;
  /** The name in the request's path. Empty for POST. */
  readonly requestName: string;
  /** The object in the hub version. A stage changes it in place or passes on another one. */
  readonly hub: JsonObject;
  /** The state that the write replaces. Absent for a new object. */
  readonly old?: JsonObject;
  /** The attributes for admission. */
  readonly attributes: Attributes;
  /** The view that admission sees instead of the object. */
  readonly view?: AdmittedView | undefined;
}

/** The result of a write. Undefined if another write came first. */
export type Written<R = WriteResult> = Promise<R | undefined>;

/** The fields of a draft, or of its predecessors, that stages need. */
export interface StagedWrite {
  readonly context: Pick<OperationContext, 'request'>;
}

/** The remaining stages. */
export type Next<D extends StagedWrite, R = WriteResult> = (draft: D) => Written<R>;

/** One stage of a write. It throws the client's error, calls the next stage, or returns the result. */
export type Stage<D extends StagedWrite, R = WriteResult> = (draft: D, next: Next<D, R>) => Written<R>;

/** Passes a draft through the stages in order. The last stage commits it. Lets other requests run before each stage. */
export function passStages<D extends StagedWrite, R>(stages: readonly Stage<D, R>[], draft: D): Written<R> {
  const from =
    (index: number): Next<D, R> =>
    (passed) =>
      afterTurn(passed.context.request.turn, () => stages[index]?.(passed, from(index + 1)));
  return from(0)(draft);
}

/** Lets mutating plugins change the object or its view. */
export async function mutatingAdmission<D extends Draft>(draft: D, next: Next<D>): Written {
  const { context, attributes, view, hub } = draft;
  await context.admission.admit(attributes);
  return next(view === undefined ? draft : { ...draft, hub: view.put(hub, attributes.object ?? {}) });
}

/** Throws 403 if the object's content needs a permission that the user lacks. */
export async function guardAdmitted<D extends Draft>(draft: D, next: Next<D>): Written {
  await draft.definition.guard?.admitted?.(guardedWrite(draft));
  return next(draft);
}

/** Like `guardAdmitted`, for permissions that only a valid object reveals. Does not apply to updates through a subresource. */
export async function guardWellFormed<D extends Draft>(draft: D, next: Next<D>): Written {
  const { definition, context, old } = draft;
  if (old === undefined || context.subresource === '') await definition.guard?.wellFormed?.(guardedWrite(draft));
  return next(draft);
}

/** Lets validating plugins reject the object. Wraps the write, because plugins may reserve quota for it. */
export function validatingAdmission<D extends Draft>(draft: D, next: Next<D>): Written {
  return draft.context.admission.validated(draft.attributes, () => next(draft));
}

function guardedWrite({ attributes, hub, old, requestName }: Draft): GuardedWrite {
  const { resource, user, namespace } = attributes;
  return { resource, user, namespace, requestName, object: hub, ...defined({ old }) };
}
