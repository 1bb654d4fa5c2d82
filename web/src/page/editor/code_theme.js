/** CodeMirror's theme, in the page's light and dark colours. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const MONOSPACE = 'ui-monospace, monospace';
const SELECTED = '> .cm-scroller > .cm-selectionLayer .cm-selectionBackground';

const theme = EditorView.theme({
  '&': {
    height: '100%',
    color: 'var(--text)',
    backgroundColor: 'var(--panel)',
    fontSize: '12.5px',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)' },
  '.cm-scroller': { fontFamily: MONOSPACE, lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': {
    color: 'var(--muted)',
    backgroundColor: 'var(--panel)',
    borderRight: '1px solid var(--line)',
  },
  [`.cm-selectionBackground, &.cm-focused ${SELECTED}`]: { backgroundColor: 'var(--free)' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '&.cm-focused .cm-matchingBracket, .cm-matchingBracket': { backgroundColor: 'var(--free)' },
  '.cm-tooltip': {
    maxWidth: 'min(420px, 92vw)',
    color: 'var(--text)',
    backgroundColor: 'var(--panel)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: MONOSPACE, fontSize: '12px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    color: 'var(--panel)',
    backgroundColor: 'var(--accent)',
  },
  '.cm-completionDetail': { fontStyle: 'normal', color: 'var(--muted)' },
  'li[aria-selected] .cm-completionDetail': { color: 'var(--panel)' },
  '.cm-tooltip.cm-completionInfo': { padding: '6px 8px' },
  '& .cm-panels.cm-panels': {
    color: 'var(--text)',
    backgroundColor: 'var(--page)',
    borderColor: 'var(--line)',
  },
  '& .cm-panel .cm-button, & .cm-panel .cm-textfield': {
    color: 'var(--text)',
    background: 'var(--panel)',
    border: '1px solid var(--line)',
    borderRadius: '4px',
    minHeight: '26px',
  },
  '& .cm-panel.cm-search [name=close]': {
    color: 'var(--text)',
    minWidth: '24px',
    minHeight: '24px',
  },
  '& .cm-searchMatch': { backgroundColor: 'var(--free)', outline: '1px solid var(--accent)' },
  '& .cm-searchMatch-selected': { outlineWidth: '2px' },
  '.cm-diagnostic': { fontFamily: 'system-ui, sans-serif', overflowWrap: 'anywhere' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn)' },
});

const colours = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.lineComment, tags.comment], color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.keyword, tags.number, tags.bool, tags.null, tags.atom], color: 'var(--warn)' },
  { tag: [tags.meta, tags.punctuation, tags.separator], color: 'var(--muted)' },
]);

export const codeTheme = [theme, syntaxHighlighting(colours)];
