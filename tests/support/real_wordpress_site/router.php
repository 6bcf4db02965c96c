<?php
// Serves files as they are; everything else is a page of WordPress.
$root = $_SERVER['DOCUMENT_ROOT'];
$path = rawurldecode(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) ?: '/');
$file = realpath($root . $path);
$is_folder = $path !== '/' && is_file("$file/index.php");
if ($file && str_starts_with($file, $root) && (is_file($file) || $is_folder)) {
    return false;
}
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = '/index.php';
$_SERVER['SCRIPT_FILENAME'] = "$root/index.php";
require "$root/index.php";
