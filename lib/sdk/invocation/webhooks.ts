import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { type JsonObject, objectAt, ownField, stringAt } from '#lib/machinery/json-value.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { instantOf, microTimeText } from '#lib/machinery/time.ts';
import { NAMESPACE } from '#lib/sdk/webhook-sdk/names.ts';
import type { WebhookClient } from '#lib/server/webhook/client.ts';
import type { ClientConfig } from '#lib/server/webhook/client-config.ts';
import { type Invocation, type InvocationSink, type InvokedFor, shortened } from './invocation.ts';

/** The webhook client whose calls are recorded, and the sink for the records. */
export interface RecordedWebhooks {
  readonly client: WebhookClient;
  readonly clock: Clock;
  readonly sink: InvocationSink;
  nonce(): string;
}

/** A client that records every call. A record contains only names from the request and response, and the reason for a denial. */
export function recordedWebhooks({ client, clock, sink, nonce }: RecordedWebhooks): WebhookClient {
  return {
    async call(request) {
      const { config, body } = request;
      const start = microTimeText(instantOf(new Date(clock.now()))) ?? '';
      const since = clock.monotonic();
      const object = reviewedObject(body);
      const end = async (how: Pick<Invocation, 'outcome' | 'message'>): Promise<void> => {
        const durationMs = Math.round((clock.monotonic() - since) * 1000) / 1000;
        const what = { type: 'Webhook', function: nameOf(config), attempt: 1 } as const;
        const about = object === undefined ? {} : { object };
        await sink.record({ id: requestUid(body) ?? nonce(), ...what, start, durationMs, ...about, ...how });
      };
      try {
        const answer = await client.call(request);
        await end(endingOf(answer));
        return answer;
      } catch (error) {
        await end({ outcome: 'Error', message: shortened(messageOfError(error)) });
        throw error;
      }
    },
  };
}

/** The name of a function or of another Service, or the host of a URL. */
function nameOf({ service, url = '' }: ClientConfig): string {
  if (service !== undefined)
    return service.namespace === NAMESPACE ? service.name : `${service.namespace}/${service.name}`;
  return URL.canParse(url) ? new URL(url).host : url;
}

const requestUid = (review: JsonObject): string | undefined => stringAt(objectAt(review, 'request'), 'uid');

/** The object of an admission review. Undefined for other reviews. */
function reviewedObject(review: JsonObject): InvokedFor | undefined {
  const request = objectAt(review, 'request');
  const kind = objectAt(request, 'kind');
  const name = stringAt(kind, 'kind');
  if (name === undefined) return undefined;
  const metadata = objectAt(objectAt(request, 'oldObject') ?? objectAt(request, 'object'), 'metadata');
  const uid = stringAt(metadata, 'uid');
  const resourceVersion = stringAt(metadata, 'resourceVersion');
  return {
    apiVersion: apiVersion({ group: stringAt(kind, 'group') ?? '', version: stringAt(kind, 'version') ?? '' }),
    kind: name,
    namespace: stringAt(request, 'namespace') ?? '',
    name: stringAt(request, 'name') ?? stringAt(metadata, 'name') ?? '',
    ...defined({ uid, resourceVersion }),
  };
}

function endingOf(answer: JsonObject): Pick<Invocation, 'outcome' | 'message'> {
  const response = objectAt(answer, 'response');
  if (ownField(response, 'allowed') !== false) return { outcome: 'Done' };
  const message = stringAt(objectAt(response, 'status'), 'message');
  return { outcome: 'Denied', ...(message === undefined ? {} : { message: shortened(message) }) };
}
