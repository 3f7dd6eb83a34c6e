export type { EventRecorder, EventText } from '#lib/client/events/event-recorder.ts';
export type {
  Kind,
  KubernetesObject,
  Name,
  ObjectMeta,
  OwnerReference,
  TypedClient,
} from '#lib/client/typed-client.ts';
export { type Condition, findCondition, isConditionTrue, setCondition } from '#lib/controller/condition.ts';
export type { Declaration, Mapping, Predicates } from '#lib/controller/declaration.ts';
export {
  type Context,
  type DefinedReconciler,
  defineReconciler,
  type Reconcile,
  type ReconcilerDefinition,
} from '#lib/controller/define-reconciler.ts';
export { addFinalizer, hasFinalizer, removeFinalizer } from '#lib/controller/finalizer.ts';
export type { Logger } from '#lib/controller/logger.ts';
export { setControllerReference } from '#lib/controller/owner.ts';
export type { Result } from '#lib/controller/reconciler.ts';
export type { Request } from '#lib/controller/requests.ts';
export { StatusError } from '#lib/machinery/errors.ts';
