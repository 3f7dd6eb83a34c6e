import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { afterTurn } from '#lib/machinery/steps.ts';
import type { Attributes } from '../admission.ts';
import type { GuardedWrite } from '../guard.ts';
import type { ObjectScheme, ResourceDefinition } from '../resource.ts';
import type { OperationContext } from '../rest/context.ts';
import type { WriteResult } from './result.ts';

/** Stands for an object in admission: its Scale. */
export interface AdmittedView {
  readonly scheme: ObjectScheme;
  show(hub: JsonObject): JsonObject;
  /** The hub object with what admission has changed. */
  put(hub: JsonObject, admitted: JsonObject): JsonObject;
}

/** An object on its way into the store. */
export interface Draft {
  readonly definition: ResourceDefinition;
  readonly context: OperationContext;
  /** The name in the request's path; a POST has none. */
  readonly requestName: string;
  /** In the version that strategies see. A stage changes it in place or hands on another. */
  readonly hub: JsonObject;
  /** The state that it replaces; absent where it is new. */
  readonly old?: JsonObject;
  /** The attributes for admission. */
  readonly attributes: Attributes;
  /** The view that admission sees in place of the object. */
  readonly view?: AdmittedView | undefined;
}

/** The result of a write; undefined where another write came first. */
export type Written<R = WriteResult> = Promise<R | undefined>;

/** The part of a draft, or of what becomes one, that stages need. */
export interface StagedWrite {
  readonly context: Pick<OperationContext, 'turn'>;
}

/** The rest of the stages. */
export type Next<D extends StagedWrite, R = WriteResult> = (draft: D) => Written<R>;

/** One stage of a write: refuses by throwing what the client is told, goes on to the next, or ends with what is answered. */
export type Stage<D extends StagedWrite, R = WriteResult> = (draft: D, next: Next<D, R>) => Written<R>;

/** Takes a draft through the stages in their order; the last one commits it. Before each, other requests are let through. */
export function passStages<D extends StagedWrite, R>(stages: readonly Stage<D, R>[], draft: D): Written<R> {
  const from =
    (index: number): Next<D, R> =>
    (passed) =>
      afterTurn(passed.context.turn, () => stages[index]?.(passed, from(index + 1)));
  return from(0)(draft);
}

/** Lets plugins change the object, or what admission sees in its place. */
export async function mutatingAdmission<D extends Draft>(draft: D, next: Next<D>): Written {
  const { context, attributes, view, hub } = draft;
  await context.admission.admit(attributes);
  return next(view === undefined ? draft : { ...draft, hub: view.put(hub, attributes.object ?? {}) });
}

/** Throws 403 where the content of the object asks for a right that the user has not. */
export async function guardAdmitted<D extends Draft>(draft: D, next: Next<D>): Written {
  await draft.definition.guard?.admitted?.(guardedWrite(draft));
  return next(draft);
}

/** The same where only a valid object shows which right; an update through a subresource needs none. */
export async function guardWellFormed<D extends Draft>(draft: D, next: Next<D>): Written {
  const { definition, context, old } = draft;
  if (old === undefined || context.subresource === '') await definition.guard?.wellFormed?.(guardedWrite(draft));
  return next(draft);
}

/** Lets plugins refuse the object; around the write, for which they may reserve something. */
export function validatingAdmission<D extends Draft>(draft: D, next: Next<D>): Written {
  return draft.context.admission.validated(draft.attributes, () => next(draft));
}

function guardedWrite({ attributes, hub, old, requestName }: Draft): GuardedWrite {
  const { resource, user, namespace } = attributes;
  return { resource, user, namespace, requestName, object: hub, ...defined({ old }) };
}
