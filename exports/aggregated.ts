export type { KubernetesObject, ObjectMeta } from '#lib/client/typed-client.ts';
export {
  type AggregatedApiDefinition,
  type AggregatedResource,
  type DefinedAggregatedApi,
  defineAggregatedApi,
  defineAggregatedResource,
} from '#lib/extension-apiserver/define-aggregated-api.ts';
export type { ConnectSession, SessionMessage } from '#lib/extension-apiserver/session.ts';
export type {
  CallContext,
  Column,
  ConnectContext,
  ListContext,
  ObjectEvent,
  ObjectList,
  ResourceStorage,
  Subresource,
  SubresourceAnswer,
  SubresourceRequest,
} from '#lib/extension-apiserver/storage.ts';
export { alreadyExists, badRequest, conflict, expired, notFound, StatusError } from '#lib/machinery/errors.ts';
