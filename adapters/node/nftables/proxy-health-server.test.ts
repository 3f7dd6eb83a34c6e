import { expect, test } from 'vitest';
import { freePort } from '#test/support/free-port.ts';
import { serveProxyHealth } from './proxy-health-server.ts';

test('serves known paths, returns 404 for others and leaves no connection open at the end', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  {
    await using _ = await serveProxyHealth({ host: '127.0.0.1', port }, (path) =>
      path === '/healthz' ? { status: 503, body: '{}' } : undefined,
    );
    expect((await fetch(`${url}/healthz?verbose`)).status).toBe(503);
    expect((await fetch(`${url}/other`)).status).toBe(404);
    await expect(serveProxyHealth({ host: '127.0.0.1', port }, () => undefined)).rejects.toThrow('EADDRINUSE');
  }
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});
