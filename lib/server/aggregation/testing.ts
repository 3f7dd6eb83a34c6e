import type { Clock } from '#lib/machinery/clock.ts';
import type { BackendRequest, BackendResponse } from '#lib/server/channel/round-tripper.ts';
import type { AskPorts } from './ask.ts';
import type { RemoteService } from './remote-services.ts';

/** An available server of `v1` of `wardle.example.com`. */
export const aRemote = (more: Partial<RemoteService> = {}): RemoteService => ({
  name: 'v1.wardle.example.com',
  group: 'wardle.example.com',
  version: 'v1',
  service: { namespace: 'ns', name: 'api', port: 443 },
  caBundle: 'CA',
  insecureSkipTLSVerify: false,
  isAvailable: true,
  groupPriorityMinimum: 2000,
  versionPriority: 15,
  ...more,
});

/** A backend's response. */
export const anAnswer = (status: number, body = '', headers: BackendResponse['headers'] = {}): BackendResponse => ({
  status,
  headers,
  body: (async function* () {
    if (body !== '') yield Buffer.from(body);
  })(),
});

/** Returns ports that resolve every Service to 10.0.0.2:8443. `sent` contains the requests received there. */
export function answering(
  clock: Clock,
  send: (request: BackendRequest) => BackendResponse | Promise<BackendResponse>,
): AskPorts & { readonly sent: BackendRequest[] } {
  const sent: BackendRequest[] = [];
  return {
    clock,
    sent,
    backends: {
      resolver: { resolve: async () => ({ host: '10.0.0.2', port: 8443 }) },
      client: () => ({ certificate: 'CERT', key: 'KEY' }),
      roundTripper: {
        async send(request) {
          sent.push(request);
          return send(request);
        },
      },
    },
  };
}
