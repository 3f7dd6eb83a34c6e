import { headless, type Made, plain, slice } from '#test/support/dns/objects.ts';

/** Services for the DNS benchmark; every tenth is headless. */
export const DNS_SERVICES = 1000;
const ENDPOINTS = 10;
const PORT = { name: 'http', port: 80, protocol: 'TCP' };

/** 1,000 Services with ten endpoints each. */
export const manyObjects = (): Made[] =>
  Array.from({ length: DNS_SERVICES }, (_, i) => {
    const name = `s${i}`;
    const address = (at: number): string => `10.${20 + (i >> 8)}.${i & 255}.${at + 1}`;
    const endpoints = Array.from({ length: ENDPOINTS }, (__, at) => ({ addresses: [address(at)] }));
    const service = i % 10 === 0 ? headless(name, [PORT]) : plain(name, `10.96.${8 + (i >> 8)}.${i & 255}`, [PORT]);
    return [service, slice(name, 1, 'IPv4', endpoints, [PORT])];
  }).flat();
