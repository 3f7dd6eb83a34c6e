import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { type Bench, PODS } from './bench.ts';

/** `pods/log`. */
export function givesLogs(on: Bench): void {
  describe('the log of a container', () => {
    test('is the response of the kubelet to a request with the options of the client', async () => {
      on.kubelet.on('/containerLogs/default/web/main', { request: (_, response) => response.end('one\ntwo\n') });
      const query =
        'follow=true&previous=1&timestamps=true&tailLines=5&limitBytes=10&sinceTime=2026-01-02T03:04:05%2B01:00';
      expect(await on.ask('GET', `${PODS}/web/log?${query}`)).toBe('200 one\ntwo\n');
      expect(on.kubelet.asked.at(-1)).toBe(
        '/containerLogs/default/web/main?follow=true&limitBytes=10&previous=true&sinceTime=2026-01-02T02%3A04%3A05Z&tailLines=5&timestamps=true',
      );
      expect(on.kubelet.headers()).not.toHaveProperty('authorization');
    });

    test('is the log of the named container if there are several', async () => {
      on.kubelet.on('/containerLogs/default/two/b', { request: (_, response) => response.end('of b') });
      expect(await on.ask('GET', `${PODS}/two/log?container=b`)).toBe('200 of b');
    });

    test.each([
      [
        'tailLines=-1',
        '422 PodLogOptions "web" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
      ],
      ['limitBytes=0', '422 PodLogOptions "web" is invalid: limitBytes: Invalid value: 0: must be greater than 0'],
      ['sinceSeconds=0', '422 PodLogOptions "web" is invalid: sinceSeconds: Invalid value: 0: must be greater than 0'],
      [
        'sinceSeconds=1&sinceTime=2026-01-02T03:04:05Z',
        '422 PodLogOptions "web" is invalid: []: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
      ],
      ['stream=Stdout', '422 PodLogOptions "web" is invalid: stream: Forbidden: may not be specified'],
      ['tailLines=x', '400 strconv.ParseInt: parsing "x": invalid syntax'],
    ])('is rejected with %s', async (query, message) => {
      expect(await on.ask('GET', `${PODS}/web/log?${query}`)).toBe(message);
    });

    test.each<[string, number, string]>([
      ['an error', 500, '500 Internal error occurred: no such thing'],
      ['a bad request', 400, '400 no such thing'],
      ['nothing of that name', 404, '404 the server could not find the requested resource ( pods/log web)'],
      ['a refusal', 403, '403 no such thing ( pods/log web)'],
      [
        'a fault',
        502,
        '502 an error on the server ("no such thing") has prevented the request from succeeding ( pods/log web)',
      ],
    ])('is %s if that is the response of the kubelet', async (_, status, message) => {
      on.kubelet.on('/containerLogs/default/web/main', {
        request: (_request, response) => response.writeHead(status).end('no such thing'),
      });
      expect(await on.ask('GET', `${PODS}/web/log`)).toBe(message);
    });

    test("never comes from a redirect's target", async () => {
      on.kubelet.on('/containerLogs/default/web/main', {
        request: (_, response) => response.writeHead(302, { location: `${on.server.url}/version` }).end(),
      });
      expect(await on.ask('GET', `${PODS}/web/log`)).toBe(`500 Get "${on.server.url}/version": redirects forbidden`);
    });

    test('is an error if the kubelet breaks off, or changes the protocol unasked', async () => {
      on.kubelet.on('/containerLogs/default/web/main', { request: ({ socket }) => void socket.destroy() });
      expect(await on.ask('GET', `${PODS}/web/log`)).toMatch(/^500 Get "https:.*": EOF$/);
      on.kubelet.on('/containerLogs/default/web/main', {
        request: ({ socket }) => void socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'),
      });
      expect(await on.ask('GET', `${PODS}/web/log`)).toMatch(/^500 Get "https:/);
    });

    test('ends at the kubelet when the client disconnects', async () => {
      let isOver = false;
      on.kubelet.on('/containerLogs/default/web/main', {
        request: (_, response) => {
          response.write('first');
          response.once('close', () => (isOver = true));
        },
      });
      const { signal, abort } = abortable();
      const sent = on.get(`${PODS}/web/log?follow=true`, signal);
      const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
      response.on('error', () => {});
      expect(String((await once(response, 'data'))[0])).toBe('first');
      abort();
      await eventually(() => expect(isOver).toBe(true));
    });

    test('does not fill the memory if the client reads nothing', async () => {
      let written = 0;
      let isHeld = false;
      on.kubelet.on('/containerLogs/default/web/main', {
        request: (_, response) => {
          const more = (): void => {
            while (response.write(Buffer.alloc(1 << 20))) written += 1 << 20;
            isHeld = true;
            response.once('drain', more);
          };
          more();
        },
      });
      const { signal, abort } = abortable();
      const [response] = (await once(on.get(`${PODS}/web/log?follow=true`, signal), 'response')) as [
        NodeJS.ReadableStream,
      ];
      response.on('error', () => {});
      await eventually(() => expect(isHeld).toBe(true));
      expect(written).toBeLessThan(64 << 20);
      abort();
      await eventually(() => expect(on.kubelet.connections()).toBe(0));
    });
  });
}

function abortable(): { readonly signal: AbortSignal; abort(): void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
