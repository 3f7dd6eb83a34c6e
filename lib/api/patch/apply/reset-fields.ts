import { type GroupResource, qualifiedResource } from '#lib/machinery/schema.ts';
import { type FieldSet, setOf } from './field-set.ts';

const STATUS = setOf(['f:status']);
const SPEC = setOf(['f:spec']);
const SPEC_AND_METADATA = setOf(['f:spec'], ['f:metadata']);

/** Kinds whose status endpoint preserves all metadata. */
const KEEP_METADATA: ReadonlySet<string> = new Set([
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
  'flowschemas.flowcontrol.apiserver.k8s.io',
  'resourceclaims.resource.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'servicecidrs.networking.k8s.io',
  'volumeattachments.storage.k8s.io',
  'apiservices.apiregistration.k8s.io',
]);

/** Endpoints that do not reset the usual fields for their type of endpoint. */
const OTHERS: Readonly<Record<string, FieldSet>> = {
  'deployments.apps/status': setOf(['f:spec'], ['f:metadata', 'f:labels']),
  'pods/status': setOf(['f:spec'], ['f:metadata', 'f:deletionTimestamp'], ['f:metadata', 'f:ownerReferences']),
  'namespaces/finalize': STATUS,
  'certificatesigningrequests.certificates.k8s.io/': setOf(['f:spec'], ['f:status']),
  'certificatesigningrequests.certificates.k8s.io/status': setOf(['f:spec'], ['f:status', 'f:conditions']),
  'certificatesigningrequests.certificates.k8s.io/approval': setOf(['f:spec'], ['f:status', 'f:certificate']),
};

/** An endpoint: a resource, or a subresource of one. */
export interface Endpoint {
  readonly resource: GroupResource;
  /** Empty for the main resource. */
  readonly subresource: string;
  /** Whether the resource has a status subresource. */
  readonly hasStatus: boolean;
  readonly custom: boolean;
}

/**
 * Returns the fields that an endpoint resets to their old values, so that its writers cannot own them (upstream: GetResetFields of the
 * strategies). The main resource resets the status, and the status subresource everything else. Undefined if the endpoint resets none.
 */
export function resetFields({ resource, subresource, hasStatus, custom }: Endpoint): FieldSet | undefined {
  const name = qualifiedResource(resource);
  const other = OTHERS[`${name}/${subresource}`];
  if (other !== undefined) return other;
  if (subresource === '') return hasStatus ? STATUS : undefined;
  if (subresource !== 'status') return undefined;
  return custom || KEEP_METADATA.has(name) ? SPEC_AND_METADATA : SPEC;
}
