import { describe, expect, test } from 'vitest';
import { evaluated } from '../testing/evaluated.ts';

/** An expression, its result in upstream 1.36, and its cost there. */
const cases: readonly (readonly [string, unknown, number])[] = [
  ['isURL("/abs/path")', true, 1],
  ['isURL("HTTP://X/")', true, 1],
  ['isURL("http:///x")', true, 1],
  ['isURL("http://[::1]:80/")', true, 1],
  ['isURL("http://h#")', false, 1],
  ['isURL("http://h%20x/")', false, 1],
  ['isURL("http://h%c3%bc/")', true, 1],
  ['isURL("http://h/%zz")', false, 1],
  ['isURL("http://h/a%2fb")', true, 1],
  ['isURL("http://h\\u0001")', false, 1],
  ['isURL("http://u^@h/")', false, 1],
  ['isURL("mailto:x@y")', true, 1],
  ['url("").getHost()', { error: 'URL parse error during conversion from string: parse "": empty url' }, 1],
  ['url("").getPort()', { error: 'URL parse error during conversion from string: parse "": empty url' }, 1],
  ['url("///x").getPort()', '', 2],
  ['url("//host/path").getHost()', 'host', 3],
  ['url("/abs/path").getHostname()', '', 2],
  ['url("/abs/path").getPort()', '', 2],
  ['url("/abs/path").getQuery()', {}, 2],
  ['url("/abs/path").getScheme()', '', 2],
  [
    'url("1http://x").getScheme()',
    { error: 'URL parse error during conversion from string: parse "1http://x": invalid URI for request' },
    2,
  ],
  [
    'url(":x").getEscapedPath()',
    { error: 'URL parse error during conversion from string: parse ":x": missing protocol scheme' },
    2,
  ],
  ['url("foo://a:b:9/") == url("https://example.com/a/b?c=d&c=e&f#frag")', false, 7],
  ['url("foo://a:b:9/").getEscapedPath()', '/', 3],
  ['url("foo://a:b:9/").getHost()', 'a:b:9', 3],
  ['url("http://%c3%bc:80/x?a=%c3%bc&=1&a") == url("https://example.com/a/b?c=d&c=e&f#frag")', false, 9],
  [
    'url("http://[1.2.3.4]/").getHost()',
    { error: 'URL parse error during conversion from string: parse "http://[1.2.3.4]/": invalid IP-literal' },
    3,
  ],
  [
    'url("http://[1.2.3.4]/").getHostname()',
    { error: 'URL parse error during conversion from string: parse "http://[1.2.3.4]/": invalid IP-literal' },
    3,
  ],
  [
    'url("http://[1.2.3.4]/").getScheme()',
    { error: 'URL parse error during conversion from string: parse "http://[1.2.3.4]/": invalid IP-literal' },
    3,
  ],
  [
    'url("http://[::1/").getHost()',
    { error: 'URL parse error during conversion from string: parse "http://[::1/": missing \']\' in host' },
    3,
  ],
  ['url("http://[fe80::1%25eth0]:80/x").getPort()', '80', 4],
  [
    'url("http://[zz]/").getHostname()',
    {
      error:
        'URL parse error during conversion from string: parse "http://[zz]/": invalid host: ParseAddr("zz"): unable to parse IP',
    },
    3,
  ],
  [
    'url("http://a:b:c/").getHostname()',
    { error: 'URL parse error during conversion from string: parse "http://a:b:c/": invalid port ":b:c" after host' },
    3,
  ],
  [
    'url("http://a:b:c/").getPort()',
    { error: 'URL parse error during conversion from string: parse "http://a:b:c/": invalid port ":b:c" after host' },
    3,
  ],
  [
    'url("http://h%20x/") == url("https://example.com/a/b?c=d&c=e&f#frag")',
    { error: 'URL parse error during conversion from string: parse "http://h%20x/": invalid URL escape "%20"' },
    7,
  ],
  [
    'url("http://h%20x/").getHost()',
    { error: 'URL parse error during conversion from string: parse "http://h%20x/": invalid URL escape "%20"' },
    3,
  ],
  ['url("http://h%c3%bc/") == url("https://example.com/a/b?c=d&c=e&f#frag")', false, 7],
  [
    'url("http://h/#a%zz").getHost()',
    { error: 'URL parse error during conversion from string: parse "http://h/#a%zz": invalid URL escape "%zz"' },
    3,
  ],
  [
    'url("http://h/%4").getQuery()',
    { error: 'URL parse error during conversion from string: parse "http://h/%4": invalid URL escape "%4"' },
    3,
  ],
  ['url("http://h/a b").getPort()', '', 3],
  ['url("http://h/a%2fb").getEscapedPath()', '/a%2fb', 3],
  ['url("http://h/a[b]").getHost()', 'h', 3],
  ['url("http://h/a[b]").getScheme()', 'http', 3],
  ['url("http://h/p?q#f").getHostname()', 'h', 3],
  ['url("http://h/p?q#f").getPort()', '', 3],
  ['url("http://h/ü").getHostname()', 'h', 2],
  ['url("http://h:") == url("https://example.com/a/b?c=d&c=e&f#frag")', false, 6],
  ['url("http://h?").getEscapedPath()', '', 2],
  ['url("http://h?").getPort()', '', 2],
  ['url("http://h??") == url("https://example.com/a/b?c=d&c=e&f#frag")', false, 6],
  [
    'url("http://h\\u0001").getHost()',
    {
      error:
        'URL parse error during conversion from string: parse "http://h\\x01": net/url: invalid control character in URL',
    },
    2,
  ],
  [
    'url("http://h\\u0001").getQuery()',
    {
      error:
        'URL parse error during conversion from string: parse "http://h\\x01": net/url: invalid control character in URL',
    },
    2,
  ],
  [
    'url("http://host:port/").getEscapedPath()',
    {
      error:
        'URL parse error during conversion from string: parse "http://host:port/": invalid port ":port" after host',
    },
    3,
  ],
  ['url("http://u@h@i/").getEscapedPath()', '/', 3],
  ['url("http://u@h@i/").getHostname()', 'i', 3],
  ['url("http://u@h@i/").getQuery()', {}, 3],
  ['url("http://u@h@i/").getScheme()', 'http', 3],
  [
    'url("http://u^@h/").getHost()',
    { error: 'URL parse error during conversion from string: parse "http://u^@h/": net/url: invalid userinfo' },
    3,
  ],
  [
    'url("http://u^@h/").getHostname()',
    { error: 'URL parse error during conversion from string: parse "http://u^@h/": net/url: invalid userinfo' },
    3,
  ],
  [
    'url("http://u^@h/").getPort()',
    { error: 'URL parse error during conversion from string: parse "http://u^@h/": net/url: invalid userinfo' },
    3,
  ],
  ['url("http://user:pa%20ss@host:8080/p%20q").getHostname()', 'host', 5],
  [
    'url("http://x[y]/").getEscapedPath()',
    { error: 'URL parse error during conversion from string: parse "http://x[y]/": invalid IP-literal' },
    3,
  ],
  [
    'url("http://x[y]/").getHostname()',
    { error: 'URL parse error during conversion from string: parse "http://x[y]/": invalid IP-literal' },
    3,
  ],
  [
    'url("http://x[y]/").getPort()',
    { error: 'URL parse error during conversion from string: parse "http://x[y]/": invalid IP-literal' },
    3,
  ],
  ['url("http:/x").getQuery()', {}, 2],
  ['url("http:x").getPort()', '', 2],
  ['url("mailto:x@y").getEscapedPath()', '', 2],
  ['url("mailto:x@y").getHost()', '', 2],
  [
    'url("rel/path") == url("https://example.com/a/b?c=d&c=e&f#frag")',
    { error: 'URL parse error during conversion from string: parse "rel/path": invalid URI for request' },
    6,
  ],
  [
    'url("rel/path").getQuery()',
    { error: 'URL parse error during conversion from string: parse "rel/path": invalid URI for request' },
    2,
  ],
];

describe('library of URLs', () => {
  test.each(cases)('evaluates the expression %s', (expression, value, cost) => {
    expect(evaluated(expression)).toEqual({ value, cost });
  });
});
