export type { KubernetesObject, ObjectMeta } from '#lib/client/typed-client.ts';
export { alreadyExists, badRequest, conflict, expired, notFound, StatusError } from '#lib/machinery/errors.ts';
export {
  type AggregatedApiDefinition,
  type AggregatedResource,
  type DefinedAggregatedApi,
  defineAggregatedApi,
  defineAggregatedResource,
} from '#lib/sdk/extension-apiserver/define-aggregated-api.ts';
export type { ConnectSession, SessionMessage } from '#lib/sdk/extension-apiserver/session.ts';
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
} from '#lib/sdk/extension-apiserver/storage.ts';
