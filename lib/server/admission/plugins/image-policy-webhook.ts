import { PODS } from '#lib/api/types/resources.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { Expiring } from '#lib/machinery/expiring.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import { type JsonObject, objectAt, ownField } from '#lib/machinery/json-value.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import { ensure, entries, text } from '#lib/machinery/unstructured.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import { WebhookError } from '#lib/server/webhook/answer.ts';
import { withBackoff } from '#lib/server/webhook/backoff.ts';
import type { WebhookClient } from '#lib/server/webhook/client.ts';
import type { AdmissionPlugin } from '../admission.ts';
import type { ImagePolicy } from '../image-policy.ts';
import { isAbout, refusal } from '../refusal.ts';

const MARK = '.image-policy.k8s.io/';
const AUDIT = `imagepolicywebhook${MARK}`;
/** Upstream's older annotation of pods that no webhook has checked. */
const FAILED_OPEN = `alpha${MARK}failed-open`;
const KEPT = 1024;
const TIMEOUT_SECONDS = 30;

/** The ports and configuration of ImagePolicyWebhook. */
export interface ImagePolicyPorts {
  readonly webhooks: WebhookClient | undefined;
  readonly clock: Clock;
  /** Undefined if not configured: every image is then allowed. */
  readonly imagePolicy: ImagePolicy | undefined;
}

/** Calls a webhook to decide whether the images of a pod may run: upstream's plugin/pkg/admission/imagepolicy. */
export function imagePolicyWebhook({ webhooks, clock, imagePolicy: policy }: ImagePolicyPorts): AdmissionPlugin {
  const statuses = new Expiring<JsonObject>(KEPT);

  const statusOf = async (client: WebhookClient, { allowTtl, denyTtl, ...given }: ImagePolicy, spec: JsonObject) => {
    const key = encodeJson(spec);
    const known = statuses.get(key, clock.monotonic());
    if (known !== undefined) return known;
    const status = objectAt(await review(spec, { ...given, client, clock }), 'status') ?? {};
    const ttl = ownField(status, 'allowed') === true ? allowTtl : denyTtl;
    if (ttl > 0) statuses.set(key, status, clock.monotonic() + ttl);
    return status;
  };

  return {
    name: 'ImagePolicyWebhook',
    operations: ['CREATE', 'UPDATE'],
    async validate(attributes) {
      if (policy === undefined || webhooks === undefined) return;
      const spec = specOf(attributes);
      if (spec === undefined) return;
      try {
        judge(attributes, await statusOf(webhooks, policy, spec));
      } catch (error) {
        if (!(error instanceof WebhookError)) throw error;
        if (!policy.defaultAllow) throw refusal(attributes, error.message);
        attributes.annotate(`${AUDIT}failed-open`, 'true');
        ensure(attributes.object ?? {}, 'metadata', 'annotations')[FAILED_OPEN] = 'true'; // upstream's validation also writes it
      }
    },
  };
}

/** Returns the spec of a review of the images in a request. Undefined if the request adds no image. */
function specOf(attributes: Attributes): JsonObject | undefined {
  const { namespace } = attributes;
  const isDebugging = isAbout(attributes, PODS, 'ephemeralcontainers');
  if ((!isDebugging && !isAbout(attributes, PODS)) || attributes.object === undefined) return undefined;
  const { metadata, spec } = attributes.object;
  const pulling = isDebugging ? spec.ephemeralContainers : [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const containers = (pulling ?? []).map(({ image = '' }) => (image === '' ? {} : { image }));
  const marked = sortedEntries(metadata.annotations).filter(([key]) => key.includes(MARK));
  return {
    ...(containers.length === 0 ? {} : { containers }),
    ...(marked.length === 0 ? {} : { annotations: Object.fromEntries(marked) }),
    ...(namespace === '' ? {} : { namespace }),
  };
}

interface Asking extends Pick<ImagePolicy, 'backend' | 'retryBackoff'> {
  readonly client: WebhookClient;
  readonly clock: Clock;
}

/** Calls the webhook. Throws WebhookError. */
async function review(spec: JsonObject, { client, clock, backend, retryBackoff }: Asking): Promise<JsonObject> {
  const apiVersion = 'imagepolicy.k8s.io/v1alpha1';
  const body = { kind: 'ImageReview', apiVersion, metadata: {}, spec, status: { allowed: false } };
  const call = () => client.call({ config: backend, body, timeoutSeconds: TIMEOUT_SECONDS });
  return withBackoff(clock, call, retryBackoff);
}

function judge(attributes: Attributes, status: JsonObject): void {
  for (const [key, value] of entries(status, 'auditAnnotations')) attributes.annotate(`${AUDIT}${key}`, value);
  if (ownField(status, 'allowed') === true) return;
  const reason = text(status, 'reason');
  throw refusal(
    attributes,
    reason === ''
      ? 'one or more images rejected by webhook backend'
      : `image policy webhook backend denied one or more images: ${reason}`,
  );
}
