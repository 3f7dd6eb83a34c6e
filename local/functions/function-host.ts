import { systemClock } from '#adapters/clock.ts';
import type { Apiserver } from '#functions/apiserver/wiring.ts';
import { apiClient } from '#lib/client/api-client.ts';
import { functionUser } from '#lib/client/controller/function-account.ts';
import type { Logger } from '#lib/client/controller/logger.ts';
import { eventRecorder } from '#lib/client/events/event-recorder.ts';
import { EventSeries } from '#lib/client/events/event-series.ts';
import type { KubernetesObject } from '#lib/client/typed-client.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { NAMESPACE } from '#lib/sdk/webhook-sdk/names.ts';
import type { RunningControllers } from '../controllers.ts';
import { applyDefinitions } from './definitions.ts';
import type { FunctionHost } from './local-functions.ts';

const CONTROLLER = 'davit-functions';
/** Headers that could let a function impersonate another user. */
const IMPERSONATION = /^impersonate-/i;
const SERVICES = { group: '', version: 'v1', resource: 'services' };

/** Connects a folder's functions to a server. Each function acts as its service account with the server's token, which it never sees. */
export function functionHost(server: Apiserver, controllers: RunningControllers, log: Logger): FunctionHost {
  const { handle, loopbackToken: token } = server;
  const client = apiClient({ handle, token, userAgent: CONTROLLER });
  const definer = apiClient({ handle, token, userAgent: 'davit' });
  const onError = (error: unknown): void => log.error('an event was not taken', { error: messageOfError(error) });
  const events = eventRecorder({ client, series: new EventSeries(systemClock), controller: CONTROLLER, onError });
  return {
    handle(request, name) {
      const given = Object.entries(request.headers).filter(([header]) => !IMPERSONATION.test(header));
      const own = { authorization: `Bearer ${token}`, 'impersonate-user': functionUser(name) };
      return handle({ ...request, headers: { ...Object.fromEntries(given), ...own } });
    },
    add: (reconciler) => controllers.add(reconciler),
    remove: (name, isReplaced) => controllers.remove(name, isReplaced),
    define: (file) => applyDefinitions(definer, file, log),
    async told(webhook, why) {
      const service = await client.get({ resource: SERVICES, namespace: NAMESPACE, name: webhook });
      if (service === undefined) return;
      const regarding = service as unknown as KubernetesObject;
      await events.event(regarding, { type: 'Warning', reason: 'FunctionEnded', action: 'Restart', note: why });
    },
  };
}
