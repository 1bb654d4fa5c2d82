/** Tests the refusals of claims, templates, classes and taint rules: all faults, in their order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer } from '../asked_server.js';
import { claim, claimTemplate, deviceClass, request, taintRule } from '../devices.js';
import { inDefault } from '../workloads.js';
import { faultsOf } from './refusals.js';

const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and " +
  "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used " +
  "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or " +
  "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used " +
  "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const KEY =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for " +
  "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const IDENTIFIER =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of " +
  "alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for " +
  "validation is '[A-Za-z_][A-Za-z0-9_]*')";
const REFERENCE =
  'must be the name of a request in the claim or the name of a request and a subrequest ' +
  "separated by '/'";

/** @param {object} devices */
const claimFaults = (devices) =>
  faultsOf(() => new AskedServer().store.create('resourceclaims', claim(devices)));

/** @param {object} spec */
const classFaults = (spec) =>
  faultsOf(() => new AskedServer().store.create('deviceclasses', deviceClass(spec)));

/** @param {object} spec */
const ruleFaults = (spec) =>
  faultsOf(() => new AskedServer().store.create('devicetaintrules', taintRule(spec)));

test('requests of a claim', () => {
  const at = 'spec.devices.requests[0]';
  for (const [requests, want] of /** @type {[object[], string[]][]} */ ([
    [[request()], []],
    [
      [{ name: 'a' }],
      [`${at}: Required value: exactly one of \`exactly\` or \`firstAvailable\` is required`],
    ],
    [
      [{ ...request(), firstAvailable: [{ name: 'x', deviceClassName: 'c' }] }],
      [
        `${at}: Invalid value: null: exactly one of \`exactly\` or \`firstAvailable\` is ` +
          'required, but multiple fields are set',
      ],
    ],
    [
      [{ name: 'A', exactly: { deviceClassName: '' } }],
      [`${at}.name: Invalid value: "A": ${LABEL}`, `${at}.exactly.deviceClassName: Required value`],
    ],
    [
      [request({ deviceClassName: 'A_b' })],
      [`${at}.exactly.deviceClassName: Invalid value: "A_b": ${SUBDOMAIN}`],
    ],
    [
      [request({ count: -1 })],
      [`${at}.exactly.count: Invalid value: -1: must be greater than zero`],
    ],
    [
      [request({ allocationMode: 'All', count: 2 })],
      [
        `${at}.exactly.count: Invalid value: 2: must not be specified when allocationMode is ` +
          "'All'",
      ],
    ],
    [
      [request({ allocationMode: 'Some' })],
      [
        `${at}.exactly.allocationMode: Unsupported value: "Some": supported values: "All", ` +
          '"ExactCount"',
      ],
    ],
  ]))
    assert.deepEqual(claimFaults({ requests }), want);
});

test('selectors, tolerations and alternatives of a request', () => {
  const at = 'spec.devices.requests[0]';
  const sub = (/** @type {string} */ name, /** @type {object} */ fields = {}) => ({
    ...{ name, deviceClassName: 'c' },
    ...fields,
  });
  for (const [requests, want] of /** @type {[object[], string[]][]} */ ([
    [
      [request({ selectors: [{}, { cel: { expression: 'x'.repeat(10_241) } }] })],
      [
        `${at}.exactly.selectors[0].cel: Required value`,
        `${at}.exactly.selectors[1].cel.expression: Too long: may not be more than 10240 bytes`,
      ],
    ],
    [
      [
        request({
          tolerations: [
            { key: 'a b', operator: 'Exists', value: 'v', effect: 'Never' },
            { operator: 'In' },
          ],
        }),
      ],
      [
        `${at}.exactly.tolerations[0].key: Invalid value: "a b": ${KEY}`,
        `${at}.exactly.tolerations[0].value: Invalid value: "v": must be empty for operator ` +
          '`Exists`',
        `${at}.exactly.tolerations[0].effect: Unsupported value: "Never": supported values: ` +
          '"NoExecute", "NoSchedule", "None"',
        `${at}.exactly.tolerations[1].operator: Unsupported value: "In": supported values: ` +
          '"Equal", "Exists"',
      ],
    ],
    [
      [{ name: 'a', firstAvailable: [sub('x'), sub('x'), sub('', { count: -1 })] }],
      [
        `${at}.firstAvailable[2].name: Invalid value: "": ${LABEL}`,
        `${at}.firstAvailable[2].count: Invalid value: -1: must be greater than zero`,
        `${at}.firstAvailable[1]: Duplicate value: "x"`,
      ],
    ],
    [
      [{ name: 'a', firstAvailable: [...'abcdefghi'].map((name) => sub(name)) }],
      [`${at}.firstAvailable: Too many: 9: must have at most 8 items`],
    ],
    [[request(), request()], ['spec.devices.requests[1]: Duplicate value: "gpu"']],
    [
      Array.from({ length: 33 }, (_, index) => ({ ...request(), name: `r${index}` })),
      ['spec.devices.requests: Too many: 33: must have at most 32 items'],
    ],
  ]))
    assert.deepEqual(claimFaults({ requests }), want);
});

test('constraints and configurations refer to requests', () => {
  const requests = [
    request(),
    { name: 'any', firstAvailable: [{ name: 'big', deviceClassName: 'c' }] },
  ];
  const at = 'spec.devices.constraints[0]';
  const matchAttribute = 'example.com/numa';
  const opaque = { driver: 'gpu.example.com', parameters: { a: 1 } };
  for (const [devices, want] of /** @type {[object, string[]][]} */ ([
    [{ constraints: [{ requests: ['gpu', 'any', 'any/big'], matchAttribute }] }, []],
    [
      { constraints: [{ requests: ['gpu/big', 'a/b/c'], matchAttribute }] },
      [
        `${at}.requests[0]: Invalid value: "gpu/big": ${REFERENCE}`,
        `${at}.requests[1]: Invalid value: "a/b/c": ${REFERENCE}`,
      ],
    ],
    [
      { constraints: [{ requests: ['gpu', 'gpu'], distinctAttribute: 'example.com/a' }] },
      [`${at}.requests[1]: Duplicate value: "gpu"`],
    ],
    [
      { constraints: [{}] },
      [
        `${at}: Required value: exactly one of "matchAttribute" or "distinctAttribute" is ` +
          'required, but multiple fields are set',
      ],
    ],
    [
      { constraints: [{ matchAttribute: 'numa-id' }, { distinctAttribute: '/a' }] },
      [
        `${at}.matchAttribute: Invalid value: "numa-id": ${IDENTIFIER}`,
        `${at}.matchAttribute: Invalid value: "numa-id": a fully qualified name must be a ` +
          'domain and a name separated by a slash',
        'spec.devices.constraints[1].distinctAttribute: Invalid value: "": the domain must not ' +
          'be empty',
      ],
    ],
    [{ config: [{ requests: ['any/big'], opaque }] }, []],
    [
      { config: [{ requests: ['none'] }] },
      [
        `spec.devices.config[0].requests[0]: Invalid value: "none": ${REFERENCE}`,
        'spec.devices.config[0].opaque: Required value',
      ],
    ],
    [
      {
        config: [
          { opaque: { driver: '', parameters: null } },
          { opaque: { ...opaque, parameters: [] } },
          { opaque: { ...opaque, parameters: { a: 'x'.repeat(10_240) } } },
        ],
      },
      [
        'spec.devices.config[0].opaque.driver: Required value',
        'spec.devices.config[0].opaque.parameters: Required value',
        'spec.devices.config[1].opaque.parameters: Invalid value: "<value omitted>": must be a ' +
          'valid JSON object',
        'spec.devices.config[2].opaque.parameters: Too long: may not be more than 10240 bytes',
      ],
    ],
  ]))
    assert.deepEqual(claimFaults({ requests, ...devices }), want);
});

test('the specs of claims and templates never change', () => {
  const { store } = new AskedServer();
  const stored = store.create('resourceclaims', claim());
  const spec = { devices: { requests: [request({ count: 2 })] } };
  const [fault] = faultsOf(() => store.update('resourceclaims', { ...stored, spec }));
  assert.match(fault, /^spec: Invalid value: \{.*"count":2.*\}: field is immutable$/);
  const labelled = { ...stored.metadata, labels: { a: 'b' } };
  assert.deepEqual(store.update('resourceclaims', { ...stored, metadata: labelled }).spec, {
    devices: { requests: [request({ allocationMode: 'ExactCount', count: 1 })] },
  });

  const template = store.create('resourceclaimtemplates', claimTemplate());
  const changed = { ...template, spec: { ...template.spec, metadata: { labels: { a: 'b' } } } };
  const [refused] = faultsOf(() => store.update('resourceclaimtemplates', changed));
  assert.match(refused, /^spec: Invalid value: .*: field is immutable$/);
  const invalid = claimTemplate({ requests: [{ name: 'a' }] }, { name: 'u' });
  assert.match(
    faultsOf(() => store.create('resourceclaimtemplates', invalid))[0],
    /^spec\.spec\.devices\.requests\[0\]: Required value: exactly one of/,
  );
});

test('admin access needs the label of the namespace', () => {
  const { store } = new AskedServer();
  const requests = [{ ...request(), name: 'a' }, request({ adminAccess: true })];
  const refusal =
    'spec.devices.requests[1].exactly.adminAccess: Forbidden: admin access to devices requires ' +
    'the `resource.kubernetes.io/admin-access: true` label on the containing namespace';
  const claims = () => store.create('resourceclaims', claim({ requests }));
  const templates = () => store.create('resourceclaimtemplates', claimTemplate({ requests }));
  assert.deepEqual([...faultsOf(claims), ...faultsOf(templates)], [refusal, refusal]);
  const namespace = /** @type {any} */ (store.get('namespaces', '', inDefault.namespace));
  const labels = { ...namespace.metadata.labels, 'resource.kubernetes.io/admin-access': 'true' };
  store.update('namespaces', { ...namespace, metadata: { ...namespace.metadata, labels } });
  assert.deepEqual([...faultsOf(claims), ...faultsOf(templates)], []);
});

test('device classes and taint rules', () => {
  assert.deepEqual(classFaults({ extendedResourceName: 'example.com/gpu' }), []);
  assert.deepEqual(classFaults({ selectors: [{}], config: [{}], extendedResourceName: 'cpu' }), [
    'spec.selectors[0].cel: Required value',
    'spec.config[0].opaque: Required value',
    'spec.extendedResourceName: Invalid value: "cpu": must be a valid extended resource name',
  ]);
  const deviceSelector = { driver: 'gpu.example.com', pool: 'a/b', device: 'gpu-0' };
  assert.deepEqual(ruleFaults({ deviceSelector }), []);
  assert.deepEqual(
    ruleFaults({
      deviceSelector: { driver: '', pool: 'A', device: 'b.c' },
      taint: { key: '', value: 'a b' },
    }).map((fault) => fault.split(': ', 2).join(': ')),
    [
      'spec.deviceSelector.driver: Required value',
      'spec.deviceSelector.pool: Invalid value',
      'spec.deviceSelector.device: Invalid value',
      'spec.taint.key: Invalid value',
      'spec.taint.key: Invalid value',
      'spec.taint.value: Invalid value',
      'spec.taint.effect: Required value',
    ],
  );
});
