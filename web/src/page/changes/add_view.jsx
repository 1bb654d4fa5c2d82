import { useComputed, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { FORM_FIELDS, faultsOf, newObjects } from './new_objects.js';

/** @import { Signal } from '@preact/signals' */
/** @import { FormField, FormValues, NewKind } from './new_objects.js' */
/** @import { Session } from '../session.js' */

const KINDS = /** @type {NewKind[]} */ (Object.keys(FORM_FIELDS));

/** @type {Record<FormField, string>} */
const LABELS = {
  name: 'Name',
  namespace: 'Namespace',
  count: 'How many',
  cpu: 'cpu',
  memory: 'memory',
  zone: 'Zone',
  priority: 'Priority',
  resource: 'Another resource',
  amount: 'How much of it',
};

/** @type {FormValues} */
const VALUES = {
  name: 'new',
  namespace: 'default',
  count: '3',
  cpu: '1',
  memory: '1Gi',
  zone: '',
  priority: '0',
  resource: '',
  amount: '',
};

/** @type {Record<NewKind, FormValues>} */
const FIRST_VALUES = {
  Nodes: { ...VALUES, cpu: '8', memory: '32Gi' },
  Pods: VALUES,
  Deployment: VALUES,
};

/** A form that adds nodes, pods and Deployments. @param {{ session: Session }} props */
export function AddView({ session }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const kind = useSignal(/** @type {NewKind} */ ('Nodes'));
  const values = useSignal(FIRST_VALUES);
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        Add…
      </button>
      <dialog ref={dialog} class="add" aria-label="Add">
        <fieldset class="kinds">
          <legend>Add</legend>
          {KINDS.map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="kind"
                checked={kind.value === one}
                onChange={() => {
                  kind.value = one;
                }}
              />{' '}
              {one}
            </label>
          ))}
        </fieldset>
        <AddForm
          key={kind.value}
          session={session}
          kind={kind.value}
          all={values}
          close={() => dialog.current?.close()}
        />
      </dialog>
    </>
  );
}

/**
 * @param {{ session: Session, kind: NewKind, all: Signal<Record<NewKind, FormValues>>, close: () =>
 *   void }} props
 */
function AddForm({ session, kind, all, close }) {
  const refusal = useSignal('');
  const values = all.value[kind];
  const faults = useComputed(() => faultsOf(kind, all.value[kind], session.cluster.value)).value;
  /** @param {FormField} field @param {string} text */
  const write = (field, text) => {
    refusal.value = '';
    all.value = { ...all.value, [kind]: { ...values, [field]: text.trim() } };
  };
  /** @param {SubmitEvent} event */
  const add = async (event) => {
    event.preventDefault();
    if (Object.keys(faults).length > 0) return;
    const objects = newObjects(kind, values, session.cluster.value);
    await session.ask(async (playground) => {
      // The buttons are alike, except for their first class.
      refusal.value = await playground.refusal([objects[0], objects[objects.length - 1]]);
    });
    if (refusal.value !== '') return;
    close();
    await session.do({ do: 'apply', objects });
  };
  return (
    <form onSubmit={add} noValidate>
      <div class="fields">
        {FORM_FIELDS[kind].map((field) => (
          <Field
            key={field}
            label={labelOf(kind, field)}
            id={`add-${field}`}
            value={values[field]}
            fault={faults[field] ?? ''}
            onWrite={(text) => write(field, text)}
          />
        ))}
      </div>
      {refusal.value && (
        <p class="fault" role="alert">
          {refusal}
        </p>
      )}
      <p class="ends">
        <button type="submit">Add</button>{' '}
        <button type="button" onClick={close}>
          Cancel
        </button>
      </p>
    </form>
  );
}

/**
 * @param {{ label: string, id: string, value: string, fault: string, onWrite: (text: string) =>
 *   void }} props
 */
function Field({ label, id, value, fault, onWrite }) {
  return (
    <div>
      <label for={id}>{label}</label>
      <input
        id={id}
        value={value}
        spellcheck={false}
        autocomplete="off"
        aria-invalid={fault !== ''}
        aria-describedby={fault ? `${id}-fault` : undefined}
        onInput={({ currentTarget }) => onWrite(currentTarget.value)}
      />
      {fault && (
        <small id={`${id}-fault`} class="field-fault">
          {fault}
        </small>
      )}
    </div>
  );
}

/**
 * @param {NewKind} kind
 * @param {FormField} field
 */
function labelOf(kind, field) {
  if (kind === 'Deployment') return field === 'count' ? 'Replicas' : LABELS[field];
  return field === 'name' ? 'Names begin with' : LABELS[field];
}
