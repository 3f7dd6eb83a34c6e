import * as z from 'zod';
import type { KubernetesObject } from '#lib/client/typed-client.ts';
import { defined } from '#lib/machinery/defined.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import { type JsonObject, setField } from '#lib/machinery/json-value.ts';
import { anObject, optional, readEnvelope, userInfo } from './envelope.ts';
import type { WebhookContext } from './webhook.ts';

const gvk = z.object({ group: z.string(), version: z.string(), kind: z.string() });
const gvr = z.object({ group: z.string(), version: z.string(), resource: z.string() });

const review = z.object({
  apiVersion: z.literal('admission.k8s.io/v1'),
  kind: z.literal('AdmissionReview'),
  request: z.object({
    uid: z.string().min(1),
    kind: gvk,
    resource: gvr,
    subResource: optional(z.string()),
    requestKind: optional(gvk),
    requestResource: optional(gvr),
    requestSubResource: optional(z.string()),
    name: optional(z.string()),
    namespace: optional(z.string()),
    operation: z.enum(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']),
    userInfo,
    object: optional(anObject),
    oldObject: optional(anObject),
    dryRun: optional(z.boolean()),
    options: optional(anObject),
  }),
});

type Request = z.output<typeof review>['request'];

/** `admission.k8s.io/v1` AdmissionRequest with typed objects. */
export interface AdmissionRequest<T extends KubernetesObject> extends Omit<Request, 'object' | 'oldObject'> {
  readonly object: T | undefined;
  readonly oldObject: T | undefined;
}

/** The context of an admission webhook's call. */
export interface AdmissionContext<T extends KubernetesObject> extends WebhookContext {
  readonly request: AdmissionRequest<T>;
  /** Adds a warning to the response, regardless of the decision. */
  warn(text: string): void;
  /** Adds an annotation to the audit event, under the webhook's name. */
  annotate(key: string, value: string): void;
}

/** Calls a handler with one review. The handler returns a patch or nothing, and denies the request by throwing `denied(…)`. */
export async function admit<T extends KubernetesObject>(
  body: JsonObject,
  given: WebhookContext,
  decide: (object: T, context: AdmissionContext<T>) => Promise<readonly JsonObject[]>,
): Promise<JsonObject> {
  const { request } = readEnvelope(review, body);
  const warnings: string[] = [];
  const auditAnnotations: JsonObject = {};
  const typed = request as Omit<Request, 'object' | 'oldObject'> as AdmissionRequest<T>;
  const context: AdmissionContext<T> = {
    ...given,
    request: typed,
    warn: (text) => void warnings.push(text),
    annotate: (key, value) => setField(auditAnnotations, key, value),
  };
  const subject = typed.object ?? typed.oldObject ?? ({} as T); // CONNECT and requests for collections may have no object
  const verdict = await decide(subject, context).then(accepted, refused);
  const response = { uid: request.uid, ...verdict, warnings, auditAnnotations };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
}

function accepted(patch: readonly JsonObject[]): JsonObject {
  if (patch.length === 0) return { allowed: true };
  return { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(encodeJson([...patch])).toString('base64') };
}

/** Converts an error of a handler. A StatusError is a denial. Any other error is a failure, to which the failure policy applies. */
function refused(error: unknown): JsonObject {
  if (!(error instanceof StatusError)) throw error;
  const { message, reason, code } = error;
  return { allowed: false, status: { status: 'Failure', message, code, ...defined({ reason }) } };
}
