export type { Declaration, Mapping, Predicates } from '#lib/client/controller/declaration.ts';
export {
  type Context,
  type DefinedReconciler,
  defineReconciler,
  type Reconcile,
  type ReconcilerDefinition,
} from '#lib/client/controller/define-reconciler.ts';
export { addFinalizer, hasFinalizer, removeFinalizer } from '#lib/client/controller/finalizer.ts';
export type { Logger } from '#lib/client/controller/logger.ts';
export { setControllerReference } from '#lib/client/controller/owner.ts';
export type { Result } from '#lib/client/controller/reconciler.ts';
export type { Request } from '#lib/client/controller/requests.ts';
export type { EventRecorder } from '#lib/client/events/event-recorder.ts';
export type { EventText } from '#lib/client/events/new-event.ts';
export type {
  Kind,
  KubernetesObject,
  ObjectMeta,
  OwnerReference,
  TypedClient,
} from '#lib/client/typed-client.ts';
export { type Condition, findCondition, isConditionTrue, setCondition } from '#lib/machinery/conditions.ts';
export { StatusError } from '#lib/machinery/errors.ts';
export type { NamespacedName } from '#lib/machinery/namespaced-name.ts';
