import type { EventRecorder } from '#lib/client/events/event-recorder.ts';
import type { Kind, KubernetesObject, TypedClient } from '#lib/client/typed-client.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { type Declaration, type DeclarationInput, parseDeclaration } from './declaration.ts';
import type { Logger } from './logger.ts';
import type { Result } from './reconciler.ts';
import type { Request } from './requests.ts';

/** The ports of a reconciler during one attempt. */
export interface Context<T extends KubernetesObject> {
  readonly client: TypedClient;
  /** The object that is reconciled as it is now, read once; undefined where it is gone. */
  object(): Promise<T | undefined>;
  readonly events: EventRecorder;
  readonly log: Logger;
  readonly clock: Clock;
  /** Aborts when nobody waits any more; the client refuses to go on then. */
  readonly signal: AbortSignal;
}

/**
 * Makes the world as one object asks for. It reads what there is, writes what differs, and is safe twice, in any order, and after
 * a crash between any two lines. A throw is tried again with backoff, and told on the object by an Event and a condition.
 */
export type Reconcile<T extends KubernetesObject> = (request: Request, context: Context<T>) => Promise<Result>;

/** A declaration with the type of the reconciled objects. */
export interface ReconcilerDefinition<T extends KubernetesObject> extends Omit<DeclarationInput, 'for'> {
  readonly for: Kind<T> & { readonly clusterScoped?: boolean };
}

/** A declaration and its function. */
export interface DefinedReconciler<T extends KubernetesObject = KubernetesObject> {
  readonly declaration: Declaration;
  reconcile(request: Request, context: Context<T>): Promise<Result>;
}

/** A reconciler from a declaration and a function. Throws TypeError for a declaration that is not valid. */
export function defineReconciler<T extends KubernetesObject>(
  definition: ReconcilerDefinition<T>,
  reconcile: Reconcile<T>,
): DefinedReconciler<T> {
  const { apiVersion, kind, clusterScoped = false } = definition.for;
  return { declaration: parseDeclaration({ ...definition, for: { apiVersion, kind, clusterScoped } }), reconcile };
}
