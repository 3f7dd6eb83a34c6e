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
  /** The current state of the reconciled object, read once. Undefined if it was deleted. */
  object(): Promise<T | undefined>;
  readonly events: EventRecorder;
  readonly log: Logger;
  readonly clock: Clock;
  /** Aborts when the caller no longer waits for the result. The client then rejects all further calls. */
  readonly signal: AbortSignal;
}

/**
 * Brings the cluster to the state that one object describes. Reads the current state and writes the differences. It must be safe to run
 * twice, in any order, and after a crash at any point. A thrown error is retried with backoff, and reported on the object with an Event and
 * a condition.
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

/** Creates a reconciler from a declaration and a function. Throws TypeError for an invalid declaration. */
export function defineReconciler<T extends KubernetesObject>(
  definition: ReconcilerDefinition<T>,
  reconcile: Reconcile<T>,
): DefinedReconciler<T> {
  const { apiVersion, kind, clusterScoped = false } = definition.for;
  return { declaration: parseDeclaration({ ...definition, for: { apiVersion, kind, clusterScoped } }), reconcile };
}
